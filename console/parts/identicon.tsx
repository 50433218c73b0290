import { identiconOf } from './identicon-cells.ts';

/** The picture of an address, `size` pixels square. */
export function Identicon({ address, size = 16 }: { readonly address: string; readonly size?: number }) {
  const { hue, path } = identiconOf(address);
  return (
    <svg width={size} height={size} viewBox="-.6 -.6 6.2 6.2" aria-hidden="true" shape-rendering="crispEdges">
      <rect x="-1" y="-1" width="8" height="8" fill={hue} fill-opacity=".16" />
      <path d={path} fill={hue} />
    </svg>
  );
}
