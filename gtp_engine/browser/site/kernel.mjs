// The kernel: one WebAssembly module, which is called with bytes; kernel/api/byte_calls.cpp says which.

const NOT_THERE = 52; // ENOSYS of WASI

/** What the C++ library wants of a system: a clock, and a place for its last words. */
function system(memory, log) {
  const view = () => new DataView(memory().buffer);
  return {
    clock_time_get(id, precision, at) {
      const milliseconds = id === 0 ? Date.now() : performance.now();
      view().setBigUint64(at, BigInt(Math.round(milliseconds * 1e6)), true);
      return 0;
    },
    fd_write(descriptor, parts, count, at) {
      let text = "", size = 0;
      for (let part = parts; part < parts + 8 * count; part += 8) {
        const begin = view().getUint32(part, true), length = view().getUint32(part + 4, true);
        text += new TextDecoder().decode(new Uint8Array(memory().buffer, begin, length));
        size += length;
      }
      log(text);
      view().setUint32(at, size, true);
      return 0;
    },
    proc_exit(status) {
      throw new Error(`the kernel has ended: ${status}`);
    },
  };
}

export class Kernel {
  /**
   * @param {WebAssembly.Module} module
   * @param {() => boolean | Promise<boolean>} wantsCallBack  whether a solver should return before its end
   * @param {boolean} suspends  whether that is a promise; then `solve` returns one, too
   * @param {(text: string) => void} log
   */
  static async start(module, wantsCallBack, suspends, log) {
    const kernel = new Kernel();
    const given = system(() => kernel.exports.memory, log);
    const imports = { host: { wants_call_back: suspends ? new WebAssembly.Suspending(wantsCallBack) : wantsCallBack } };
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      if (from !== "host") (imports[from] ??= {})[name] = given[name] ?? (() => NOT_THERE);
    }
    kernel.exports = (await WebAssembly.instantiate(module, imports)).exports;
    kernel.exports._initialize();
    kernel.exports.kernel_begin();
    kernel.solving = suspends ? WebAssembly.promising(kernel.exports.kernel_call) : kernel.exports.kernel_call;
    return kernel;
  }

  /** Make a call. Throws an error with the sentence of the kernel. */
  call(request) {
    this.put(request);
    return this.result(this.exports.kernel_call());
  }

  /** Let a solver run; it may be called back. The result is a promise if the kernel can be suspended. */
  solve(request) {
    this.put(request);
    const size = this.solving();
    return size instanceof Promise ? size.then((known) => void this.result(known)) : void this.result(size);
  }

  put(request) {
    const at = this.exports.kernel_input(request.length);
    new Uint8Array(this.exports.memory.buffer, at, request.length).set(request);
  }

  result(size) {
    const found = new Uint8Array(this.exports.memory.buffer, this.exports.kernel_output(), Math.abs(size));
    if (size < 0) throw new Error(new TextDecoder().decode(found));
    return found.slice();
  }
}
