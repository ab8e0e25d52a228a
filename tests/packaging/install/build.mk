NEEDS.install := build/skillrom build/skillromd build/libskillrom.a build/libposix.a build/manuals.done $(AMALGAMATION)
