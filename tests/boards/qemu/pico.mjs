// pico.mjs - a Raspberry Pi Pico in rp2040js, its serial line on standard input, which must be a socket.
//
// usage: node pico.mjs uart|usb FIRMWARE.elf [IMAGE.rom ADDRESS]
//
// The line is its UART, or the serial port that it is on USB (usb_host.mjs). What lies at address 0 is a boot ROM; without it there
// is one that can erase and program flash (pico_rom.mjs).
//
// Does what the boot ROM does, which the package does not have: checks the first 256 bytes of flash, copies them to RAM
// and starts them there. SKILLROM_MONITOR is a file descriptor that takes commands as QEMU's monitor does:
// `info registers`, which tells the program counter alone,
// `info instructions`, how many have been executed,
// `info flash`, how many sectors were erased and pages programmed,
// `memsave ADDRESS SIZE "FILE"` with `quit` after it, and of its own
// `usb info|read|stop|open|close|unplug|plug`.

import fs from 'node:fs';
import net from 'node:net';
import { ConsoleLogger, LogLevel, Simulator } from 'rp2040js';
import { PicoRom } from './pico_rom.mjs';
import { UsbHost } from './usb_host.mjs';

const FLASH = 0x10000000;
const RAM = 0x20000000;
const BOOT = 0x20041f00;
const BOOT_SIZE = 252;
const SLICE = 400; // instructions between two bytes that come in; a line of 115200 baud gives it a thousand
const [wire, elfPath, imagePath, imageAddress] = process.argv.slice(2);

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
    mcu.core.SP = BOOT;
    mcu.core.LR = 0; // so boot code knows that it was not called
    mcu.core.PC = BOOT;
}

const { rp2040: mcu, clock } = new Simulator();
mcu.logger = new ConsoleLogger(LogLevel.Error, false);
const chipRom = new PicoRom(mcu, end);
load(mcu.flash, elfPath);
if (imagePath && Number(imageAddress) === 0) {
    const rom = fs.readFileSync(imagePath);
    mcu.bootrom.set(new Uint32Array(rom.buffer.slice(rom.byteOffset, rom.byteOffset + (rom.length & ~3))));
} else if (imagePath) {
    mcu.flash.set(fs.readFileSync(imagePath), Number(imageAddress) - FLASH);
}
boot(mcu);

// ---- The serial line ----

const line = new net.Socket({ fd: 0 });
let sent = [];

// What a line is: give(bytes) to the board, turn() before a slice of its time, pending() while it has more to come.
function uartLine(uart) {
    let received = Buffer.alloc(0);
    uart.onByte = (byte) => sent.push(byte);
    return {
        give(bytes) {
            received = Buffer.concat([received, bytes]);
        },
        turn() {
            if (received.length > 0 && !uart.rxFIFO.full) {
                uart.feedByte(received[0]);
                received = received.subarray(1);
            }
        },
        pending: () => received.length > 0,
    };
}

let facts = '';

function usbLine(controller) {
    const host = new UsbHost(controller, (bytes) => sent.push(...bytes), (found) => (facts = JSON.stringify(found)));
    return { host, give: (bytes) => host.send(bytes), turn() {}, pending: () => host.busy() };
}

const link = wire === 'usb' ? usbLine(mcu.usbCtrl) : uartLine(mcu.uart[0]);

line.on('data', (bytes) => {
    link.give(bytes);
    wake();
});
line.on('error', () => process.exit(0));
line.on('close', () => process.exit(0));

function flush() {
    if (sent.length > 0) {
        line.write(Buffer.from(sent));
        sent = [];
    }
}

// ---- Running ----

let executed = 0;

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
        chipRom.check();
        clock.tick((core.executeInstruction() * 1e9) / mcu.clkSys);
        executed++;
    }
    return true;
}

let timer = null;
let now = null;

function run() {
    timer = now = null;
    for (let slices = 0; slices < 500; slices++) {
        link.turn();
        if (runSlice()) {
            continue;
        }
        const idle = !link.pending();
        if (idle || wire === 'usb') {
            clock.tick(clock.nanosToNextAlarm); // at most to the next millisecond, which is about what it takes
        }
        if (idle) {
            flush();
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

const usbCommands = {
    info: () => facts,
    read: () => link.host.setReading(true),
    stop: () => link.host.setReading(false),
    open: () => link.host.setOpen(true),
    close: () => link.host.setOpen(false),
    unplug: () => link.host.unplug(),
    plug: () => link.host.plug(),
};

function save(address, size, path) {
    const words = new Uint32Array(size / 4);
    words.forEach((_, i) => (words[i] = mcu.readUint32(address + 4 * i)));
    fs.writeFileSync(path, words);
}

// Obeys one command; what it answers.
async function obey(command) {
    const saving = /^memsave (\d+) (\d+) "([^"]*)"$/.exec(command);
    if (saving) {
        save(Number(saving[1]), Number(saving[2]), saving[3]);
    } else if (command === 'info registers') {
        return `R15=${mcu.core.PC.toString(16).padStart(8, '0')}`;
    } else if (command === 'info instructions') {
        return `${executed}`;
    } else if (command === 'info flash') {
        return `${chipRom.changed}`;
    } else if (command.startsWith('usb ')) {
        const done = usbCommands[command.slice(4)]();
        wake();
        return await done;
    } else if (command === 'quit') {
        process.exit(0);
    }
    return '';
}

if (process.env.SKILLROM_MONITOR) {
    const monitor = new net.Socket({ fd: Number(process.env.SKILLROM_MONITOR) });
    let text = '';
    monitor.on('data', async (bytes) => {
        const commands = (text + bytes).split('\n');
        text = commands.pop();
        for (const command of commands) {
            const response = await obey(command);
            monitor.write(`${typeof response === 'string' ? response : ''}\r\n(qemu) `);
        }
    });
}

run();
