# Odd file names in every build system: the folder that Meson takes.
NEEDS.names := build/library.done
