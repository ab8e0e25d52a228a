/** The transport of a connection: one message per line, or HTTP/1.1. */
export declare const LINE: 0;
export declare const HTTP: 1;

/** A serial port for Links.bridge. */
export interface Port {
    /** What messages call it. */
    path?: string;
    /** Returns 0, 1 while the port is being opened, or minus WASI's number of an error. wake() is called when something has changed. */
    open(speed: number, wake: () => void): number;
    /** Returns null when the port is gone, an empty array when nothing has arrived. */
    read(room: number): Uint8Array | null;
    /** Returns how many bytes it has taken; -1 when the port is gone. */
    write(bytes: Uint8Array): number;
    baud(speed: number): number;
    close(): void;
}

/** A port of Node: SerialPort is the class of the package serialport. */
export declare class NodePort implements Port {
    readonly path: string;
    constructor(SerialPort: new (...args: any[]) => any, path: string);
    open(speed: number, wake: () => void): number;
    read(room: number): Uint8Array | null;
    write(bytes: Uint8Array): number;
    baud(speed: number): number;
    close(): void;
}

/** A port of a browser, from navigator.serial. */
export declare class WebPort implements Port {
    constructor(port: any);
    open(speed: number, wake: () => void): number;
    read(room: number): Uint8Array | null;
    write(bytes: Uint8Array): number;
    baud(speed: number): number;
    close(): void;
}

export interface BridgeOptions {
    /** Speed of the line; 0, the default, tries the usual ones. */
    baud?: number;
    /** Use plain lines even if the device has the reliable mode. */
    plain?: boolean;
    /** How long a request waits for a missing device (10000). */
    waitMs?: number;
    /** How long it waits for a response (65000). */
    responseMs?: number;
    /** HTTP: when to end a stream and have the client come back; 0, the default, keeps it open. */
    pollMs?: number;
    /** Gets the device's log and the bridge's messages. */
    log?: (text: string) => void;
}

export interface Connection {
    /** Bytes that arrive. */
    give(bytes: Uint8Array): void;
    close(): void;
}

/** A device in this program or page, or a bridge to one on a serial port. Methods throw Error with the reason. */
export declare class Links {
    /** A device: a module that `make twin` writes, or serve.wasm without handlers, and an image that `skillrom pack` writes. */
    static twin(wasm: Uint8Array, image: Uint8Array): Links;
    /** The device on a port, through bridge.wasm. */
    static bridge(wasm: Uint8Array, port: Port, options?: BridgeOptions): Links;
    /** fetch() for this device alone; any host stands for it. */
    fetch(url: string | URL | Request, init?: RequestInit): Promise<Response>;
    /** Messages as lines of JSON. */
    line(message: (text: string) => void, closed?: () => void): {send(text: string): void; close(): void};
    /** A connection as bytes. */
    open(wire: 0 | 1, take: (bytes: Uint8Array) => void, closed?: () => void): Connection;
    /** Leaves the port to others, and stops the clock. */
    end(): void;
}

/** A transport for Client.connect of the MCP TypeScript SDK. */
export declare class DeviceTransport {
    constructor(links: Links);
    onmessage?: (message: any) => void;
    onclose?: () => void;
    start(): Promise<void>;
    send(message: unknown): Promise<void>;
    close(): Promise<void>;
}
