import { decodeBase58 } from './encodings.ts';

/** Eight hues that color-blind readers can tell apart. The pattern matters more. */
const HUES = ['#c04a7e', '#3c8ca6', '#8a5bc4', '#2f8a6b', '#a97a1b', '#b5563c', '#6b7c2c', '#5a6fb8'];

/** An identicon: its hue and its filled cells. */
interface IdenticonCells {
  readonly hue: string;
  /** SVG path in a 5 by 5 grid, mirrored. */
  readonly path: string;
}

/** 32-bit FNV-1a with its published offset and prime, plus a mixing step for the last bytes. */
function hash(bytes: Uint8Array): number {
  let value = 0x811c9dc5;
  for (const byte of bytes) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  value = Math.imul(value ^ (value >>> 15), 0x85ebca6b) >>> 0;
  return (value ^ (value >>> 13)) >>> 0;
}

/** Derives the identicon of an address. It helps recognition but does not replace comparing addresses. */
function identiconOf(address: string): IdenticonCells {
  const bits = hash(decodeBase58(address) ?? new TextEncoder().encode(address));
  let path = '';
  for (let cell = 0; cell < 15; cell += 1) {
    if (((bits >>> cell) & 1) === 0) continue;
    const [x, y] = [cell % 3, Math.floor(cell / 3)];
    path += `M${x} ${y}h1v1h-1z`;
    if (x < 2) path += `M${4 - x} ${y}h1v1h-1z`;
  }
  return { hue: HUES[(bits >>> 16) & 7] ?? HUES[0] ?? '', path };
}

/** The identicon of an address, `size` pixels square. */
export function Identicon({ address, size = 16 }: { readonly address: string; readonly size?: number }) {
  const { hue, path } = identiconOf(address);
  return (
    <svg width={size} height={size} viewBox="-.6 -.6 6.2 6.2" aria-hidden="true" shape-rendering="crispEdges">
      <rect x="-1" y="-1" width="8" height="8" fill={hue} fill-opacity=".16" />
      <path d={path} fill={hue} />
    </svg>
  );
}
