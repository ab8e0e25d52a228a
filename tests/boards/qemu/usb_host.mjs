// usb_host.mjs - the computer that a Pico in rp2040js is plugged into: enumerates it as Linux does, and has its serial port open.
//
// rp2040js tells when the firmware hands a buffer to the controller; this plays the other side of the bus. It can stop reading, close
// and open the port, and pull the plug.

const STANDARD = { getDescriptor: 6, setAddress: 5, setConfiguration: 9 };
const SET_LINE_CODING = 0x20;
const SET_CONTROL_LINE_STATE = 0x22;
const DEVICE = 1;
const CONFIGURATION = 2;
const STRING = 3;
const INTERFACE = 4;
const ENDPOINT = 5;
const CDC_DATA = 10;
const PACKET = 64;
const ADDRESS = 7;
const SIE_STATUS = 0x50;
const SUSPENDED = 1 << 4;

function setup(type, request, value, index, length) {
    const bytes = new DataView(new ArrayBuffer(8));
    bytes.setUint8(0, type);
    bytes.setUint8(1, request);
    [value, index, length].forEach((field, i) => bytes.setUint16(2 + 2 * i, field, true));
    return new Uint8Array(bytes.buffer);
}

// The bulk endpoints of the data interface.
function endpoints(configuration) {
    const found = {};
    let inData = false;
    for (let at = 0; at < configuration.length; at += configuration[at]) {
        const [length, type] = [configuration[at], configuration[at + 1]];
        if (length < 2) {
            throw new Error('a descriptor of the device has no length');
        }
        if (type === INTERFACE) {
            inData = configuration[at + 5] === CDC_DATA;
        } else if (type === ENDPOINT && inData) {
            found[configuration[at + 2] & 0x80 ? 'in' : 'out'] = configuration[at + 2] & 0xf;
        }
    }
    return found;
}

export class UsbHost {
    // receive(bytes): what came from the device; enumerated(facts): it said what it is
    constructor(controller, receive, enumerated) {
        this.usb = controller;
        this.receive = receive;
        this.enumerated = enumerated;
        this.control = null; // the transfer on endpoint 0: {data, length, received, done}
        this.toSend = []; // packets for the device
        this.reading = true;
        this.pulled = false;
        this.held = []; // packets of the device that nobody has read
        this.forget();
        const ready = controller.indicateBufferReady.bind(controller);
        controller.indicateBufferReady = (endpoint, out) => {
            if (out || endpoint !== this.bulk.in) { // those of the bulk endpoint are done when they are read
                ready(endpoint, out);
            }
        };
        this.acknowledge = () => ready(this.bulk.in, false);
        const write = controller.writeUint32.bind(controller);
        controller.writeUint32 = (offset, value) => { // the chip clears that bit when it is written, the emulator does not
            if (offset === SIE_STATUS && controller.rawWriteValue & SUSPENDED) {
                controller.sieStatus &= ~SUSPENDED;
            }
            write(offset, value);
        };
        controller.onUSBEnabled = () => controller.resetDevice();
        controller.onResetReceived = () => this.enumerate();
        controller.onEndpointWrite = (endpoint, bytes) => (endpoint === 0 ? this.controlIn(bytes) : this.dataIn(bytes));
        controller.onEndpointRead = (endpoint, size) => this.wants(endpoint, size);
    }

    forget() {
        this.bulk = {};
        this.armed = null; // the device waits for a packet of that size
        this.held = [];
    }

    // ---- Endpoint 0 ----

    request(packet, data = new Uint8Array(0)) {
        return new Promise((done) => {
            this.control = { data, length: packet[0] & 0x80 ? packet[6] | packet[7] << 8 : 0, received: [], done };
            this.usb.sendSetupPacket(packet);
        });
    }

    controlIn(bytes) {
        const { control } = this;
        if (control === null) {
            return;
        }
        control.received.push(...bytes);
        if (control.length === 0) {
            this.controlDone(); // the status of a transfer to the device
        }
    }

    controlDone() {
        const { done, received } = this.control;
        this.control = null;
        done(received);
    }

    // The device waits for a packet. On endpoint 0 that is data for it, or the status of what it has sent.
    wants(endpoint, size) {
        if (endpoint !== 0) {
            this.armed = size;
            this.feed();
            return;
        }
        this.usb.endpointReadDone(0, this.control?.data.subarray(0, size) ?? new Uint8Array(0));
        if (this.control !== null && this.control.length > 0) {
            this.controlDone();
        }
    }

    descriptor(type, index, length) {
        return this.request(setup(0x80, STANDARD.getDescriptor, type << 8 | index, type === STRING ? 0x409 : 0, length));
    }

    async text(index) {
        const bytes = index === 0 ? [] : await this.descriptor(STRING, index, 255);
        return Buffer.from(bytes.slice(2)).toString('utf16le');
    }

    async enumerate() {
        this.forget();
        await this.descriptor(DEVICE, 0, PACKET);
        await this.request(setup(0, STANDARD.setAddress, ADDRESS, 0, 0));
        const device = await this.descriptor(DEVICE, 0, 18);
        const head = await this.descriptor(CONFIGURATION, 0, 9);
        const configuration = await this.descriptor(CONFIGURATION, 0, head[2] | head[3] << 8);
        await this.descriptor(STRING, 0, 255);
        const [maker, product, serial] = [await this.text(device[14]), await this.text(device[15]), await this.text(device[16])];
        this.bulk = endpoints(configuration);
        await this.request(setup(0, STANDARD.setConfiguration, configuration[5], 0, 0));
        await this.request(setup(0x21, SET_LINE_CODING, 0, 0, 7), new Uint8Array([0, 0xc2, 1, 0, 0, 0, 8]));
        this.enumerated({ vendor: device[8] | device[9] << 8, number: device[10] | device[11] << 8, maker, product, serial,
                          classes: [device[4], ...configuration.filter((_, i) => configuration[i - 4] === INTERFACE && configuration[i - 5] === 9)] });
        await this.setOpen(true);
    }

    // ---- The serial port ----

    setOpen(open) {
        return this.request(setup(0x21, SET_CONTROL_LINE_STATE, open ? 3 : 0, 0, 0));
    }

    dataIn(bytes) {
        if (this.bulk.in !== undefined) { // else it was on its way when the plug was pulled
            this.held.push(bytes);
            this.deliver();
        }
    }

    setReading(reading) {
        this.reading = reading;
        this.deliver();
    }

    deliver() {
        while (this.reading && this.held.length > 0) {
            this.receive(this.held.shift());
            this.acknowledge();
        }
    }

    send(bytes) {
        if (this.pulled) {
            return; // there is no port to write to
        }
        for (let at = 0; at < bytes.length; at += PACKET) {
            this.toSend.push(bytes.subarray(at, at + PACKET));
        }
        this.feed();
    }

    feed() {
        if (this.armed !== null && this.toSend.length > 0) {
            this.armed = null;
            this.usb.endpointReadDone(this.bulk.out, this.toSend.shift());
        }
    }

    // Something is on its way, so that a processor that sleeps will be woken soon.
    busy() {
        return this.control !== null || (this.armed === null && this.toSend.length > 0);
    }

    // ---- The plug ----

    unplug() {
        this.pulled = true;
        this.toSend = [];
        this.forget();
        this.usb.sieStatus |= SUSPENDED; // the bus is silent, which a device without a sense of its supply takes for a pause
        this.usb.sieStatusUpdated();
    }

    plug() {
        this.pulled = false;
        this.usb.resetDevice();
    }
}
