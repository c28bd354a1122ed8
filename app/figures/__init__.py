"""The draft in figures: charts, panel, dashboard, and what is exported of them."""
