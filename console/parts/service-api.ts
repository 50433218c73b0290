/** An error response of the service (RFC 9457). */
interface Problem {
  readonly detail?: unknown;
  readonly title?: unknown;
  readonly code?: unknown;
  readonly error?: { readonly details?: Readonly<Record<string, unknown>> };
}

/** A failed request to the page's own API. */
export class ServiceFailure extends Error {
  override readonly name = 'ServiceFailure';
  /** The service's stable code; null if the service did not respond. */
  readonly code: string | null;
  /** Facts about the failure, depending on its code. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, code: string | null, details: ServiceFailure['details'] = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/**
 * Sends a GET request to the page's own API.
 *
 * @throws {ServiceFailure} if the service rejects the request or does not respond.
 */
export const getJson = <T>(path: string): Promise<T> =>
  exchange<T>(path, { headers: { accept: 'application/json' } });

/**
 * Sends a POST request to the page's own API.
 *
 * @throws {ServiceFailure} if the service rejects the request or does not respond.
 */
export const postJson = <T>(path: string, body: unknown): Promise<T> =>
  exchange<T>(path, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/**
 * Sends a request to the service.
 *
 * @param onResponse called with the response, whatever its status.
 * @throws {ServiceFailure} for the same reasons as {@link getJson}.
 */
export async function exchange<T>(
  path: string,
  init: RequestInit,
  onResponse?: (response: Response) => void,
): Promise<T> {
  const response = await fetch(path, { ...init, cache: 'no-store', redirect: 'error' }).catch(() => {
    throw new ServiceFailure('The service does not respond.', null);
  });
  onResponse?.(response);
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body as T;
  const { detail, title, code, error } = (body ?? {}) as Problem;
  const words = [detail, title].find((text) => typeof text === 'string');
  throw new ServiceFailure(
    typeof words === 'string' ? words : `The service rejected the request: HTTP ${response.status}.`,
    typeof code === 'string' ? code : null,
    error?.details,
  );
}

/** Event names of `GET /console/api/events`. */
type ServiceEvent = 'request' | 'settlement' | 'reset';

/**
 * Follows the events of the service. The browser reconnects and resumes on its own.
 *
 * @param onConnected called with whether the stream is connected.
 * @returns a function that ends the subscription.
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
