"""The desktop: the window, its panels, and the one worker that asks the engine."""
