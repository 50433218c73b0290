import { createHash } from 'node:crypto';
import type { DumpsPackage } from './dumps-package.ts';
import { tarballUrl } from './npm-registry.ts';

/** How long a fetch may take in all, ms: a line of 64 kbit/s is fast enough. */
const FETCH_MS_MAX = 60_000;

/** Why there is no tarball, as a sentence without its full stop. It names the registry by its host alone. */
export class TarballFault extends Error {
  override readonly name = 'TarballFault';
}

/**
 * The tarball of a package from a registry. Redirects are not followed, and no more is read than it is known
 * to have.
 *
 * @throws {TarballFault} where it cannot be had, or has other bytes than it has to have.
 */
export async function fetchTarball(
  source: DumpsPackage,
  registry: URL,
  timeoutMs: number = FETCH_MS_MAX,
): Promise<Uint8Array> {
  const place = `The npm registry at ${registry.host}`;
  const deadline = AbortSignal.timeout(timeoutMs);
  let tarball: Buffer;
  try {
    const url = tarballUrl(registry, source.name, source.version);
    const response = await fetch(url, {
      redirect: 'manual',
      // The file is compressed as it is.
      headers: { 'accept-encoding': 'identity' },
      signal: deadline,
    });
    tarball = await readBody(response, source.tarball.bytes, place);
  } catch (cause) {
    if (cause instanceof TarballFault) throw cause;
    const fault = deadline.aborted
      ? `did not answer whole within ${timeoutMs / 1_000} s`
      : `cannot be reached${codeOf(cause as Error)}`;
    throw new TarballFault(`${place} ${fault}`, { cause });
  }
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  if (integrity !== source.tarball.integrity) {
    throw new TarballFault(`${place} serves another tarball than the one that is known by its hash`);
  }
  return tarball;
}

/** The system's word for a fault, where `fetch` hands it on as its cause. */
function codeOf({ cause }: Error): string {
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  return code === undefined ? '' : ` (${code})`;
}

async function readBody(response: Response, bytesMax: number, place: string): Promise<Buffer> {
  const { status, body } = response;
  if (status !== 200 || body === null) {
    await body?.cancel();
    const more = status >= 300 && status < 400 ? ', and redirects are not followed' : '';
    throw new TarballFault(`${place} answers with status ${status}${more}`);
  }
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  // To leave the loop ends the connection.
  for await (const chunk of body) {
    byteCount += chunk.length;
    if (byteCount > bytesMax) {
      throw new TarballFault(`${place} serves more than the ${bytesMax} bytes of the tarball`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
