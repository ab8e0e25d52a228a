# Programs made from changed copies of the example are linked with the public libraries.
NEEDS.author := build/skillrom build/pump build/dispenser build/libposix.a build/libskillrom.a build/example.rom \
                build/mps2-an385/skillrom.elf
