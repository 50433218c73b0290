import { silentLogger } from '../../ports/logger.ts';
import type { Transport } from '../upstream/transport.ts';
import type { UpstreamPorts } from '../upstream/upstream.ts';
import { HandTime } from './hand-time.ts';

/** Creates the ports for a test, with manual time and constant randomness in the middle of its range. */
export function upstreamPorts(transport: Transport): UpstreamPorts & { readonly time: HandTime } {
  const time = new HandTime();
  const random = { bytes: (length: number) => new Uint8Array(length).fill(0x80) };
  return { transport, clock: time, timer: time, random, logger: silentLogger, time };
}
