import { decodeBase58 } from '../../../src/solana/base58.ts';
import { DANGER, NOT_CLEAR, type Row } from '../row.ts';
import { onBlockhash } from '../transaction-parts.ts';
import { aloneOfB, HOSTS_B, type HostNameB } from '../world/hosts-b.ts';
import { strange } from '../world/kit.ts';
import { THIEF, type WorldB } from '../world/world-b.ts';

/** Returns a ledger's blockhash in the world of layout B. */
const blockhashOf = ({ chain }: WorldB, ledger: 'base' | 'ephemeral'): string =>
  ledger === 'base' ? chain.blockhash : THIEF;

const other = (ledger: 'base' | 'ephemeral') => (ledger === 'base' ? 'ephemeral' : 'base');

const rowsOf = (host: HostNameB): Row<WorldB>[] => [
  {
    name: `layout B ${host}, on a blockhash of zeros`,
    alone: DANGER,
    asked: ['no'],
    make: async (world) => onBlockhash(await HOSTS_B[host](world), new Uint8Array(32)),
  },
  {
    name: `layout B ${host}, on the other ledger's blockhash`,
    alone: DANGER,
    asked: ['no'],
    async make(world) {
      const offer = await HOSTS_B[host](world);
      const blockhash = decodeBase58(blockhashOf(world, other(offer.sendTo)));
      const { recentBlockhash: _, ...request } = offer.request;
      return { ...onBlockhash(offer, blockhash), request };
    },
  },
  {
    name: `layout B ${host}, sent to the other ledger`,
    alone: DANGER,
    asked: ['no'],
    async make(world) {
      const offer = await HOSTS_B[host](world);
      return { ...offer, sendTo: other(offer.sendTo) };
    },
  },
  {
    name: `layout B ${host}, looked at offline`,
    alone: NOT_CLEAR,
    asked: ['unverifiable'],
    make: async (world) => ({ ...(await HOSTS_B[host](world)), offline: true }),
  },
  {
    name: `layout B ${host}, with a request that was told another blockhash`,
    alone: aloneOfB(host),
    asked: ['no'],
    async make(world) {
      const offer = await HOSTS_B[host](world);
      return { ...offer, request: { ...offer.request, recentBlockhash: strange(1) } };
    },
  },
];

/** Ledgers and blockhashes that do not match a transaction of layout B. */
export const LEDGER_ROWS_B: readonly Row<WorldB>[] = (Object.keys(HOSTS_B) as HostNameB[]).flatMap(rowsOf);
