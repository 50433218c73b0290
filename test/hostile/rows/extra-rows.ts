import { DELEGATION_EXTRAS, MAGIC_EXTRAS, PERMISSION_EXTRAS } from '../extras/delegation-programs.ts';
import { EATA_EXTRAS } from '../extras/eata-program.ts';
import type { Extra } from '../extras/extra.ts';
import { FOREIGN_EXTRAS } from '../extras/foreign.ts';
import { SHUTTLE_EXTRAS } from '../extras/shuttle-program.ts';
import { ATA_EXTRAS } from '../extras/associated-token.ts';
import { BUDGET_EXTRAS } from '../extras/compute-budget.ts';
import { TABLE_EXTRAS } from '../extras/lookup-table.ts';
import { MEMO_EXTRAS } from '../extras/memo.ts';
import { UNKNOWN_EXTRAS } from '../extras/unknown-programs.ts';
import { SYSTEM_EXTRAS } from '../extras/system.ts';
import { TOKEN_EXTRAS } from '../extras/token.ts';
import type { Row } from '../row.ts';
import { rebuilt } from '../transaction-parts.ts';
import { HOSTS, type HostName } from '../world/hosts.ts';

/** Position of an extra instruction. */
type Place = 'before' | 'after';

/** Creates the rows of extras in one host. No request includes them. */
const into = (host: HostName, place: Place, extras: readonly Extra[]): Row[] =>
  extras.map(({ name, alone, codes, make, gains }) => ({
    name: `${host}, ${place} it: ${name}`,
    alone,
    codes,
    asked: ['no'],
    async make(world) {
      const added = make(world.kit);
      const offer = rebuilt(await HOSTS[host](world), ({ instructions }) => ({
        instructions: place === 'before' ? [...added, ...instructions] : [...instructions, ...added],
      }));
      return gains === undefined ? offer : { ...offer, gains: gains(world.kit) };
    },
  }));

/** Unrequested instructions in requested transactions. */
export const EXTRA_ROWS: readonly Row[] = [
  ...into('transfer', 'after', [...SYSTEM_EXTRAS, ...TOKEN_EXTRAS, ...TABLE_EXTRAS, ...UNKNOWN_EXTRAS]),
  ...into('transfer', 'before', [...MEMO_EXTRAS, ...BUDGET_EXTRAS]),
  ...into('deposit', 'before', [...SYSTEM_EXTRAS, ...ATA_EXTRAS]),
  ...into('deposit', 'after', UNKNOWN_EXTRAS),
  ...into('transfer', 'after', [
    ...EATA_EXTRAS,
    ...SHUTTLE_EXTRAS,
    ...DELEGATION_EXTRAS,
    ...PERMISSION_EXTRAS,
    ...MAGIC_EXTRAS,
    ...FOREIGN_EXTRAS,
  ]),
  ...into('withdraw', 'before', [...DELEGATION_EXTRAS, ...PERMISSION_EXTRAS]),
  ...into('withdraw', 'after', [...SYSTEM_EXTRAS, ...ATA_EXTRAS, ...BUDGET_EXTRAS]),
];
