/** SVG paths of the icons in a 16 by 16 box. They differ by shape, not only by color. */
const PATHS = {
  tick: 'M3 8.5l3.2 3.2L13 5',
  triangle: 'M8 2l6.5 11.5h-13zM8 6.5v3.2M8 11.2v.6',
  octagon: 'M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2zM5.5 5.5l5 5M10.5 5.5l-5 5',
  ring: 'M14 8a6 6 0 11-12 0 6 6 0 0112 0z',
  key: 'M8.4 8H15M12.2 8v2.8M8.4 8a3.2 3.2 0 11-6.4 0 3.2 3.2 0 016.4 0z',
  crossed: 'M1 8s2.6-4.5 7-4.5S15 8 15 8s-2.6 4.5-7 4.5S1 8 1 8zM2.5 14l11-12',
  copy: 'M7 5.5h5a1.5 1.5 0 011.5 1.5v5a1.5 1.5 0 01-1.5 1.5H7A1.5 1.5 0 015.5 12V7A1.5 1.5 0 017 5.5zM10.5 3.5v-.2a.8.8 0 00-.8-.8H3.3a.8.8 0 00-.8.8v6.4c0 .4.4.8.8.8h.2',
  search: 'M11.5 7a4.5 4.5 0 11-9 0 4.5 4.5 0 019 0zM10.5 10.5L14 14',
  theme: 'M13.5 8a5.5 5.5 0 11-11 0 5.5 5.5 0 0111 0zM8 2.5v11M9.5 3v10M11 4v8',
  dot: 'M10 8a2 2 0 11-4 0 2 2 0 014 0z',
  play: 'M4 3l9 5-9 5z',
  lanes: 'M3 2v12M8 2v12M13 2v12M3 5h5M8 11h5',
  lines: 'M2.5 3.5h11M2.5 8h11M2.5 12.5h6',
  grid: 'M2 3h12v10H2zM2 6.5h12M6 6.5V13',
  dots: 'M4 8H3.9M8 8h-.1M12 8h-.1',
} as const;

export type GlyphName = keyof typeof PATHS;

/** An icon next to a word. Screen readers read only the word. */
export function Glyph({ name, size = 14 }: { readonly name: GlyphName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill={name === 'dot' ? 'currentColor' : 'none'}
      stroke="currentColor"
      stroke-width={name === 'tick' ? 2 : name === 'dots' ? 2.6 : 1.6}
      stroke-linecap={name === 'dots' ? 'round' : 'butt'}
      stroke-dasharray={name === 'ring' ? '3 2.4' : 'none'}
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
