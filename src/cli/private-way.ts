import { isLoopback } from '../config/exposure.ts';

/** Whether the connection to a URL is encrypted or stays on this machine, so that secrets may be sent. */
export function isPrivateWay({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || isLoopback(hostname.replaceAll(/[[\]]/g, ''));
}
