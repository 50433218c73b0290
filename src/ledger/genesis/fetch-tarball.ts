import { createHash } from 'node:crypto';
import type { DumpsPackage } from './dumps-package.ts';
import { tarballUrl } from './npm-registry.ts';

/** Time limit of a fetch, ms. A line of 64 kbit/s is fast enough. */
const FETCH_MS_MAX = 60_000;

/** Why there is no tarball, as a sentence without its full stop. It names only the host of the registry. */
export class TarballFault extends Error {
  override readonly name = 'TarballFault';
}

/**
 * Fetches the tarball of a package from a registry. Redirects are not followed, and no more than the expected
 * size is read.
 *
 * @throws {TarballFault} if the fetch fails or the bytes do not match their hash.
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
      // The file is already compressed.
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

/** The system error code, which `fetch` puts into its cause. */
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
  // Leaving the loop closes the connection.
  for await (const chunk of body) {
    byteCount += chunk.length;
    if (byteCount > bytesMax) {
      throw new TarballFault(`${place} serves more than the ${bytesMax} bytes of the tarball`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
