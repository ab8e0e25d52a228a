// wasi.mjs -- as much of WASI preview 1 as skillrom.wasm imports, over functions named as in node:fs. Node's own WASI cannot list a folder on
// Windows, and a browser has none.
//
// Inside there is one tree, with slashes. outside(path) is the name of a path of it on this system, inside(name) the opposite.
const E = {EACCES: 2, EAGAIN: 6, EBADF: 8, EBUSY: 10, EEXIST: 20, EINVAL: 28, EIO: 29, EISDIR: 31, ELOOP: 32, EMFILE: 33, ENAMETOOLONG: 37, ENOENT: 44, ENOSPC: 51,
    ENOSYS: 52, ENOTDIR: 54, ENOTEMPTY: 55, EPERM: 63, EPIPE: 64, EROFS: 69, ESPIPE: 70, EXDEV: 75}
const UNKNOWN_FILE = 0, CHARACTERS = 2, FOLDER = 3, FILE = 4, LINK = 7
const CREATE = 1, DIRECTORY = 2, EXCLUSIVE = 4, TRUNCATE = 8, MAY_WRITE = 64n, SEEK_RIGHTS = 0x24n
const BROKEN_PIPE = 128 + 13 // the exit status of a program that SIGPIPE has ended, which WASI does not have
const ROOT = 3 // the one descriptor that is open at the start, besides those of the terminal

// Windows: C:\lamp is /c/lamp inside, and \\server\share is /%/server/share. A word of the command line may have an option before its path.
export const WINDOWS = {
    inside: path => path.replaceAll('\\', '/').replace(/^([A-Za-z]):(?=\/|$)/, (all, letter) => '/' + letter.toLowerCase()).replace(/^\/\/(?=[^/])/, '/%/'),
    outside: path => path.replace(/^\/%(?=\/)/, '/').replace(/^\/([a-z])(?=\/|$)/, '$1:').replace(/^[a-z]:$/, '$&\\'),
    argument: word => word.replace(/^(--[\w-]+=|-\w(?=[A-Za-z]:[\\/]|[\\/]{2}))?([A-Za-z]:[\\/].*|\/\/[^/].*|.*\\.*)$/s, (all, option = '', path) => option + WINDOWS.inside(path)),
}

class Exit { constructor(code) { this.code = code } }

// Runs the program; returns its exit status. env has further functions that it imports, made by env(memory).
export function run(module, {args, variables = {}, fs, outside = path => path, inside = path => path, env = () => ({})}) {
    const files = new Map([[0, {fd: 0}], [1, {fd: 1}], [2, {fd: 2}], [ROOT, {path: '/', folder: true}]])
    const text = new TextEncoder()
    let w
    const view = () => new DataView(w.memory.buffer)
    const bytes = (at, n) => new Uint8Array(w.memory.buffer, at, n)
    const string = (at, n = new Uint8Array(w.memory.buffer).indexOf(0, at) - at) => new TextDecoder().decode(bytes(at, n))
    const u32 = (at, value) => view().setUint32(at, value, true)
    const u64 = (at, value) => view().setBigUint64(at, BigInt.asUintN(64, BigInt(value)), true)
    const fail = code => { throw Object.assign(new Error(code), {code}) }
    const file = fd => files.get(fd) ?? fail('EBADF')
    const kind = st => st.isDirectory() ? FOLDER : st.isFile() ? FILE : st.isSymbolicLink() ? LINK : st.isCharacterDevice() ? CHARACTERS : UNKNOWN_FILE
    const path = (fd, at, n) => {
        const parts = []
        for (const part of `${file(fd).path}/${string(at, n)}`.split('/')) part == '..' ? parts.pop() : part && part != '.' && parts.push(part)
        return outside('/' + parts.join('/'))
    }
    const stat = (at, st) => {
        bytes(at, 64).fill(0)
        u64(at, st.dev ?? 0); u64(at + 8, st.ino ?? 0); view().setUint8(at + 16, kind(st)); u64(at + 24, st.nlink ?? 1); u64(at + 32, st.size);
        [st.atimeNs, st.mtimeNs, st.ctimeNs].forEach((t, i) => u64(at + 40 + 8 * i, t ?? 0))
    }
    const strings = list => {
        const all = list.map(s => text.encode(s + '\0'))
        return {
            sizes(count, size) { u32(count, all.length); u32(size, all.reduce((sum, s) => sum + s.length, 0)) },
            get(at, room) { for (const s of all) { u32(at, room); bytes(room, s.length).set(s); at += 4; room += s.length } },
        }
    }
    // Moves bytes of each of these pieces of memory until one is moved in part; `once` is for what may block.
    const each = (pieces, count, done, move, once) => {
        let sum = 0
        for (let i = 0; i < count; i++) {
            const at = view().getUint32(pieces + 8 * i, true), n = view().getUint32(pieces + 8 * i + 4, true)
            let k = 0
            for (let moved; k < n && (moved = move(bytes(at + k, n - k), sum)) > 0 && (k += moved, sum += moved, !once);) ;
            if (k < n) break
        }
        u32(done, sum)
    }
    // At the position of a file, which a terminal or pipe has not.
    const moveAt = (f, fd, how) => piece => {
        const k = how(f.fd, piece, 0, piece.length, fd > 2 ? f.at : null)
        if (fd > 2) f.at += k
        return k
    }
    const given = strings(args), environment = strings(Object.entries(variables).map(([name, value]) => `${name}=${value}`))

    const calls = {
        args_sizes_get: given.sizes, args_get: given.get, environ_sizes_get: environment.sizes, environ_get: environment.get,
        proc_exit(code) { throw new Exit(code) },
        random_get(at, n) { crypto.getRandomValues(bytes(at, n)) },
        clock_time_get(id, precision, at) { u64(at, BigInt(Date.now()) * 1000000n) },
        poll_oneoff: () => E.ENOSYS, // a program that waits does so in fd_read
        fd_prestat_get(fd, at) { if (fd != ROOT) return E.EBADF; u32(at, 0); u32(at + 4, 1) },
        fd_prestat_dir_name(fd, at) { bytes(at, 1)[0] = 47 },
        fd_fdstat_get(fd, at) {
            const f = file(fd)
            bytes(at, 24).fill(0)
            view().setUint8(at, f.folder ? FOLDER : fd > 2 ? FILE : fs.isatty?.(fd) ? CHARACTERS : UNKNOWN_FILE)
            u64(at + 8, fd <= 2 ? ~SEEK_RIGHTS : ~0n); u64(at + 16, ~0n)
        },
        fd_fdstat_set_flags: () => 0,
        fd_close(fd) { const f = file(fd); files.delete(fd); if (!f.folder && fd > 2) fs.closeSync(f.fd) },
        fd_filestat_get(fd, at) { const f = file(fd); stat(at, f.folder ? fs.statSync(f.outside, {bigint: true}) : fs.fstatSync(f.fd, {bigint: true})) },
        fd_seek(fd, offset, whence, at) {
            const f = file(fd)
            if (fd <= 2 || f.folder) return E.ESPIPE
            f.at = Number(offset) + [0, f.at, whence == 2 && Number(fs.fstatSync(f.fd).size)][whence]
            u64(at, f.at)
        },
        fd_read(fd, pieces, count, done) { const f = file(fd); return f.folder ? E.EISDIR : each(pieces, count, done, moveAt(f, fd, fs.readSync), true) },
        fd_pread(fd, pieces, count, offset, done) { each(pieces, count, done, (to, sum) => fs.readSync(file(fd).fd, to, 0, to.length, Number(offset) + sum)) },
        fd_write(fd, pieces, count, done) {
            try { each(pieces, count, done, moveAt(file(fd), fd, fs.writeSync)) } catch (error) {
                throw error.code == 'EPIPE' && fd == 1 ? new Exit(BROKEN_PIPE) : error
            }
        },
        fd_readdir(fd, at, room, cookie, done) {
            const f = file(fd), names = f.names ??= ['.', '..', ...fs.readdirSync(f.outside)]
            let used = 0
            for (let i = Number(cookie); i < names.length && used < room; i++) {
                const name = text.encode(names[i]), entry = new Uint8Array(24 + name.length), d = new DataView(entry.buffer)
                d.setBigUint64(0, BigInt(i + 1), true); d.setUint32(16, name.length, true); entry.set(name, 24)
                const n = Math.min(entry.length, room - used)
                bytes(at + used, n).set(entry.subarray(0, n))
                used += n
            }
            u32(done, used)
        },
        path_open(dir, follow, at, n, how, rights, inherited, flags, done) {
            const name = path(dir, at, n), writes = (BigInt(rights) & MAY_WRITE) != 0n
            let st, fd = ROOT + 1
            try { st = fs.statSync(name) } catch (error) { if (error.code != 'ENOENT' || !(how & CREATE)) throw error }
            while (files.has(fd)) fd++
            if (how & DIRECTORY && st && !st.isDirectory()) return E.ENOTDIR
            if (st?.isDirectory()) {
                if (how & CREATE || (writes && !(how & DIRECTORY))) return E.EISDIR
                files.set(fd, {path: inside(name), outside: name, folder: true})
            } else {
                const mode = !writes && !(how & CREATE) ? 'r' : how & CREATE && how & EXCLUSIVE ? 'wx+' : how & TRUNCATE || !st ? 'w+' : 'r+'
                files.set(fd, {fd: fs.openSync(name, mode), at: 0})
            }
            u32(done, fd)
        },
        path_filestat_get(dir, follow, at, n, to) { stat(to, (follow & 1 ? fs.statSync : fs.lstatSync)(path(dir, at, n), {bigint: true})) },
        path_filestat_set_times: () => 0,
        path_readlink(dir, at, n, to, room, done) {
            const name = text.encode(fs.readlinkSync(path(dir, at, n))).subarray(0, room)
            bytes(to, name.length).set(name)
            u32(done, name.length)
        },
        path_create_directory(dir, at, n) { fs.mkdirSync(path(dir, at, n)) },
        path_remove_directory(dir, at, n) { fs.rmdirSync(path(dir, at, n)) },
        path_unlink_file(dir, at, n) { fs.unlinkSync(path(dir, at, n)) },
        path_rename(dir, at, n, dir2, at2, n2) { fs.renameSync(path(dir, at, n), path(dir2, at2, n2)) },
    }
    const real_path = (at, to, room) => {
        const name = text.encode(inside(fs.realpathSync(outside(string(at)))) + '\0')
        if (name.length > room) return E.ENAMETOOLONG
        bytes(to, name.length).set(name)
    }
    // An error of the system becomes its number; the program's end and our own mistakes go through.
    const guarded = call => (...a) => {
        try { return call(...a) ?? 0 } catch (error) {
            if (error instanceof Exit || typeof error.code != 'string') throw error
            return E[error.code] ?? E.EIO
        }
    }
    w = new WebAssembly.Instance(module, {
        wasi_snapshot_preview1: Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, guarded(call)])),
        env: {real_path: guarded(real_path), ...env({string, bytes})},
    }).exports
    try { w._start(); return 0 } catch (error) { if (error instanceof Exit) return error.code; throw error }
}
