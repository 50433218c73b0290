import type { Clusters } from '../../chain/clusters.ts';

/**
 * The clusters whose ephemeral SPL token program has layout A, as words for a sentence (`localnet`, `localnet
 * and devnet`); null where none has it.
 */
export function layoutANames(clusters: Pick<Clusters, 'names' | 'resolve'>): string | null {
  const names = clusters.names.filter((name) => clusters.resolve(name).layout === 'a');
  const [last, ...others] = names.toReversed();
  if (last === undefined) return null;
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
}
