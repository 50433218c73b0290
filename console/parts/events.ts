/** What `GET /console/api/events` tells, by its name. */
export type ServiceEvent = 'request' | 'settlement' | 'state' | 'reset';

/**
 * Follows the service's own events. The browser connects again by itself, and goes on where it was.
 *
 * @param onConnected told whether events come at the moment.
 * @returns what ends it.
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
