// pico_rom.mjs - the functions of the RP2040's boot ROM that erase and program its flash, for rp2040js, which has neither ROM nor flash chip.
//
// Tables and codes are those of the data sheet (2.8.2, 2.8.3). A function is a breakpoint and a return, and its work is done here, as
// flash does it: erasing makes ones, programming makes zeros, by whole pages. What would go wrong on the chip ends the emulator: code
// that runs from flash while that is not mapped, a wrong order, bytes to program that are themselves in flash.

const FLASH = 0x10000000;
const RAM = 0x20000000;
const SECTOR = 4096;
const PAGE = 256;
const FUNCTION_TABLE = 0x40;
const SEARCH = 0x60;
const FUNCTIONS = 0x70;
const RETURN = 0x4770; // bx lr

export class PicoRom {
    constructor(mcu, end) {
        this.mcu = mcu;
        this.end = end;
        this.mapped = true; // the processor can read flash
        this.connected = false;
        this.changed = 0; // sectors that were erased and pages that were programmed
        const work = { IF: this.connect, EX: this.leave, RE: this.erase, RP: this.program, FC: this.flush, CX: this.enter };
        this.work = Object.values(work);
        const rom = new DataView(new ArrayBuffer(0x100));
        rom.setUint32(0x10, 0x01_01_75_4d, true); // "Mu", 1, version
        rom.setUint16(0x14, FUNCTION_TABLE, true);
        rom.setUint16(0x18, SEARCH | 1, true);
        Object.keys(work).forEach((code, n) => {
            rom.setUint16(FUNCTION_TABLE + 4 * n, code.charCodeAt(0) | code.charCodeAt(1) << 8, true);
            rom.setUint16(FUNCTION_TABLE + 4 * n + 2, (FUNCTIONS + 4 * n) | 1, true);
            this.routine(rom, FUNCTIONS + 4 * n, n);
        });
        this.routine(rom, SEARCH, this.work.length);
        this.work.push(this.search);
        mcu.bootrom.set(new Uint32Array(rom.buffer));
        mcu.onBreak = (n) => this.work[n]?.call(this, ...mcu.core.registers.subarray(0, 4));
    }

    routine(rom, at, n) {
        rom.setUint16(at, 0xbe00 | n, true); // bkpt
        rom.setUint16(at + 2, RETURN, true);
    }

    // To be called before every instruction.
    check() {
        const { PC } = this.mcu.core;
        if (!this.mapped && PC >= FLASH && PC < RAM) {
            this.end(`code at ${PC.toString(16)} ran while flash was not mapped`);
        }
    }

    expect(what, right) {
        if (!right) {
            this.end(`${what}, called from ${this.mcu.core.LR.toString(16)}: this chip would not do it`);
        }
    }

    search(table, code) {
        const { mcu } = this;
        let at = table;
        while (mcu.readUint16(at) !== 0 && mcu.readUint16(at) !== code) {
            at += 4;
        }
        mcu.core.registers[0] = mcu.readUint16(at) === 0 ? 0 : mcu.readUint16(at + 2);
    }

    connect() {
        this.connected = true;
    }

    leave() {
        this.expect('flash is left without having been connected', this.connected);
        this.mapped = false;
    }

    erase(at, size) {
        this.expect(`erase ${size} at ${at}`, !this.mapped && at % SECTOR === 0 && size > 0 && size % SECTOR === 0);
        this.mcu.flash.fill(0xff, at, at + size);
        this.changed += size / SECTOR;
    }

    program(at, from, size) {
        const { flash, sram } = this.mcu;
        this.expect(`program ${size} at ${at} from ${from.toString(16)}`,
                    !this.mapped && at % PAGE === 0 && size > 0 && size % PAGE === 0 && from >= RAM && from + size <= RAM + sram.length);
        for (let i = 0; i < size; i++) {
            flash[at + i] &= sram[from - RAM + i];
        }
        this.changed += size / PAGE;
    }

    flush() {
        this.connected = false;
    }

    enter() {
        this.expect('flash is mapped before its cache is empty', !this.connected);
        this.mapped = true;
    }
}
