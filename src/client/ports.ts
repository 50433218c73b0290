/** What the client takes from outside: the network, time and chance. */
export interface ClientPorts {
  readonly fetch: typeof globalThis.fetch;
  /** A signal that is aborted after `ms`, and what stops its timer. */
  deadline(ms: number): { readonly signal: AbortSignal; stop(): void };
  /** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 up to, not including, 1. */
  random(): number;
  /** A new `Idempotency-Key`. */
  mintKey(): string;
}

/** The ports of the platform; `fetch` replaces its own. */
export function systemPorts(fetch: typeof globalThis.fetch = globalThis.fetch): ClientPorts {
  return {
    // Browsers refuse a fetch that is called as a method of another object.
    fetch: (input, init) => fetch(input, init),
    deadline: (ms) => {
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(), ms);
      return { signal: controller.signal, stop: () => clearTimeout(timer) };
    },
    wait,
    random: Math.random,
    mintKey,
  };
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

/** 128 random bits in hex. `crypto.randomUUID` is missing in pages that are not served over TLS. */
function mintKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
