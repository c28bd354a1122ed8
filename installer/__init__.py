"""What makes a package of Evenhand, and what examines it."""
