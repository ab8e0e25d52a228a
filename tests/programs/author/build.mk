# Programs that are made of changed copies of the example are linked with what people link with.
NEEDS.author := build/skillrom build/pump build/libposix.a build/libskillrom.a build/example.rom \
                build/mps2-an385/skillrom.elf
