import { DELEGATION_EXTRAS, MAGIC_EXTRAS, PERMISSION_EXTRAS } from '../extras/delegation-programs.ts';
import { EATA_EXTRAS } from '../extras/eata-program.ts';
import type { Extra } from '../extras/extra.ts';
import { SHUTTLE_EXTRAS } from '../extras/shuttle-program.ts';
import { UNKNOWN_EXTRAS } from '../extras/unknown-programs.ts';
import { SYSTEM_EXTRAS } from '../extras/system.ts';
import { CLEAR, NO_DANGER, NOT_CLEAR, type Row } from '../row.ts';
import { rebuilt } from '../transaction-parts.ts';
import { HOSTS_B, type HostNameB } from '../world/hosts-b.ts';
import { KIT_B } from '../world/kit-b.ts';
import type { WorldB } from '../world/world-b.ts';

/** Rows of extras on a network without simulation, where clear transactions become cautions. */
const into = (host: HostNameB, extras: readonly Extra[]): Row<WorldB>[] =>
  extras.map(({ name, alone, codes, make, gains }) => ({
    name: `layout B ${host}, after it: ${name}`,
    alone: alone === CLEAR ? NO_DANGER : alone,
    codes,
    asked: ['no'],
    async make(world) {
      const offer = rebuilt(await HOSTS_B[host](world), ({ instructions }) => ({
        instructions: [...instructions, ...make(KIT_B)],
      }));
      return gains === undefined ? offer : { ...offer, gains: gains(KIT_B) };
    },
  }));

/** Instructions of layout A, which a network of layout B reads as something else or not at all. */
const OF_LAYOUT_A: readonly Extra[] = EATA_EXTRAS.map((each) =>
  each.alone.includes('clear') ? { ...each, alone: NOT_CLEAR } : each,
);

/** Extras that are dangerous on layout B, too. */
export const EXTRA_ROWS_B: readonly Row<WorldB>[] = [
  ...into('publicTransfer', [
    ...SYSTEM_EXTRAS,
    ...OF_LAYOUT_A,
    ...SHUTTLE_EXTRAS,
    ...DELEGATION_EXTRAS,
    ...PERMISSION_EXTRAS,
    ...MAGIC_EXTRAS,
    ...UNKNOWN_EXTRAS,
  ]),
  ...into('onRollup', [...SHUTTLE_EXTRAS, ...PERMISSION_EXTRAS]),
];
