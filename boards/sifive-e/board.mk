# Registers are saved by functions of libgcc, which takes 7 % off the flash; two optimisations of the compiler make code larger
# here, 0.4 % together.
CPU.sifive-e      := -march=rv32imc -mabi=ilp32 -msave-restore -fno-ivopts -fno-if-conversion
ARCH.sifive-e     := riscv
EMULATOR.sifive-e := qemu-system-riscv32 -M sifive_e
TESTS.sifive-e    := checks few long
