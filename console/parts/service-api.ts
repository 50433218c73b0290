/** What the service says of a request that it refuses (RFC 9457). */
interface Problem {
  readonly detail?: unknown;
  readonly title?: unknown;
  readonly code?: unknown;
}

/** Why the page's own API gave no answer. */
export class ServiceFailure extends Error {
  override readonly name = 'ServiceFailure';
  /** The service's stable code; null if it was not the service that answered, or no one did. */
  readonly code: string | null;

  constructor(message: string, code: string | null) {
    super(message);
    this.code = code;
  }
}

/**
 * Asks the page's own API, at the page's own origin.
 *
 * @throws {ServiceFailure} with the service's words if it refuses or cannot be reached.
 */
export const getJson = <T>(path: string): Promise<T> =>
  exchange<T>(path, { headers: { accept: 'application/json' } });

/**
 * The same with a body.
 *
 * @throws {ServiceFailure} as {@link getJson} does.
 */
export const postJson = <T>(path: string, body: unknown): Promise<T> =>
  exchange<T>(path, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

async function exchange<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(path, { ...init, cache: 'no-store', redirect: 'error' }).catch(() => {
    throw new ServiceFailure('The service does not respond.', null);
  });
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body as T;
  const { detail, title, code } = (body ?? {}) as Problem;
  const words = [detail, title].find((text) => typeof text === 'string');
  throw new ServiceFailure(
    typeof words === 'string' ? words : `The service rejected the request: HTTP ${response.status}.`,
    typeof code === 'string' ? code : null,
  );
}

/** Event names of `GET /console/api/events`. */
type ServiceEvent = 'request' | 'settlement' | 'reset';

/**
 * Follows the service's own events. The browser connects again by itself, and goes on where it was.
 *
 * @param onConnected called with whether the stream is connected.
 * @returns a function that ends it.
 */
export function followService(
  handlers: Readonly<Partial<Record<ServiceEvent, (data: unknown) => void>>>,
  onConnected?: (connected: boolean) => void,
): () => void {
  const source = new EventSource('/console/api/events');
  source.addEventListener('open', () => onConnected?.(true));
  source.addEventListener('error', () => onConnected?.(false));
  for (const [name, handle] of Object.entries(handlers)) {
    source.addEventListener(name, (event) => {
      const { data } = event as MessageEvent<string>;
      handle(data === '' ? null : JSON.parse(data));
    });
  }
  return () => source.close();
}
