// pico.mjs - a Raspberry Pi Pico in rp2040js, its UART on standard input, which must be a socket.
//
// usage: node pico.mjs FIRMWARE.elf [IMAGE.rom ADDRESS]
//
// Does what the boot ROM does, which the package does not have: checks the first 256 bytes of flash, copies them to RAM
// and starts them there. SKILLROM_MONITOR is a file descriptor that takes commands as QEMU's monitor does:
// `info registers`, which tells the program counter alone, and
// `pmemsave ADDRESS SIZE "FILE"` with `quit` behind it.

import fs from 'node:fs';
import net from 'node:net';
import { ConsoleLogger, LogLevel, Simulator } from 'rp2040js';

const FLASH = 0x10000000;
const RAM = 0x20000000;
const BOOT = 0x20041f00;
const BOOT_SIZE = 252;
const SLICE = 400; // instructions between two bytes that come in; a line of 115200 baud gives it a thousand
const [elfPath, imagePath, imageAddress] = process.argv.slice(2);

function end(why) {
    console.error(`pico: ${why}`);
    process.exit(1);
}

// ---- Flash, and starting ----

function load(flash, path) {
    const elf = fs.readFileSync(path);
    const [table, size, count] = [elf.readUInt32LE(28), elf.readUInt16LE(42), elf.readUInt16LE(44)];
    for (let i = 0; i < count; i++) {
        const at = table + i * size;
        const [type, offset, , address, bytes] = [0, 4, 8, 12, 16].map((field) => elf.readUInt32LE(at + field));
        if (type === 1 && bytes > 0) {
            flash.set(elf.subarray(offset, offset + bytes), address - FLASH);
        }
    }
}

function crc32(bytes) {
    let crc = 0xffffffff;
    for (const byte of bytes) {
        crc ^= byte << 24;
        for (let bit = 0; bit < 8; bit++) {
            crc = (crc << 1) ^ (crc & 0x80000000 ? 0x04c11db7 : 0);
        }
    }
    return crc >>> 0;
}

function boot(mcu) {
    const first = mcu.flash.subarray(0, BOOT_SIZE);
    if (crc32(first) !== new DataView(mcu.flash.buffer).getUint32(BOOT_SIZE, true)) {
        end('the checksum of the first 256 bytes is wrong: this chip would not start');
    }
    mcu.sram.set(mcu.flash.subarray(0, 256), BOOT - RAM);
    mcu.core.PC = BOOT;
}

const { rp2040: mcu, clock } = new Simulator();
mcu.logger = new ConsoleLogger(LogLevel.Error, false);
load(mcu.flash, elfPath);
if (imagePath) {
    mcu.flash.set(fs.readFileSync(imagePath), Number(imageAddress) - FLASH);
}
boot(mcu);

// ---- The serial line ----

const line = new net.Socket({ fd: 0 });
const uart = mcu.uart[0];
let received = Buffer.alloc(0);
let sent = [];

uart.onByte = (byte) => sent.push(byte);
line.on('data', (bytes) => {
    received = Buffer.concat([received, bytes]);
    wake();
});
line.on('error', () => process.exit(0));
line.on('close', () => process.exit(0));

function feed() {
    if (received.length > 0 && !uart.rxFIFO.full) {
        uart.feedByte(received[0]);
        received = received.subarray(1);
    }
}

function flush() {
    if (sent.length > 0) {
        line.write(Buffer.from(sent));
        sent = [];
    }
}

// ---- Running ----

// False when the processor sleeps and nothing wakes it now.
function runSlice() {
    const { core } = mcu;
    core.interruptsUpdated = true;
    for (let i = 0; i < SLICE; i++) {
        // The emulator does not look for what is pending already when it starts to wait.
        if (core.waiting && !(core.waiting = !core.checkForInterrupts())) {
            continue;
        }
        if (core.waiting) {
            return false;
        }
        clock.tick((core.executeInstruction() * 1e9) / mcu.clkSys);
    }
    return true;
}

let timer = null;
let now = null;

function run() {
    timer = now = null;
    for (let slices = 0; slices < 500; slices++) {
        feed();
        if (!runSlice() && received.length === 0) {
            flush();
            clock.tick(clock.nanosToNextAlarm); // to the next millisecond, which is about what it takes
            timer = setTimeout(run, 1);
            return;
        }
    }
    flush();
    now = setImmediate(run);
}

function wake() {
    if (timer !== null) {
        clearTimeout(timer);
        timer = null;
        now = setImmediate(run);
    }
}

// ---- The monitor ----

if (process.env.SKILLROM_MONITOR) {
    let text = '';
    const monitor = new net.Socket({ fd: Number(process.env.SKILLROM_MONITOR) });
    monitor.on('data', (bytes) => {
        text += bytes;
        for (; text.startsWith('info registers\n'); text = text.slice('info registers\n'.length)) {
            monitor.write(`R15=${mcu.core.PC.toString(16).padStart(8, '0')}\n(qemu) `);
        }
        const save = /pmemsave (\d+) (\d+) "([^"]*)"\n/.exec(text);
        if (save && text.endsWith('quit\n')) {
            const words = new Uint32Array(Number(save[2]) / 4);
            words.forEach((_, i) => (words[i] = mcu.readUint32(Number(save[1]) + 4 * i)));
            fs.writeFileSync(save[3], words);
            process.exit(0);
        }
    });
}

run();
