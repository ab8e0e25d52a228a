# Before each build: the device's folder becomes src/skills.c, src/skills.h and src/tools.h.
Import("env")
if env.Execute("skillrom pack device --emit-c src/skills.c --header src/tools.h"):
    env.Exit(1)
