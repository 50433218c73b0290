import { lookupTable } from '../../../src/ledger/testing/lookup-table.ts';
import { TOKEN_PROGRAM } from '../../../src/programs/addresses.ts';
import type { Account } from '../../../src/solana/account.ts';
import type { Address } from '../../../src/solana/address.ts';
import { usdcOf } from '../extras/eata-program.ts';
import { DANGER, NO_DANGER, NOT_CLEAR, REFUSED, type Row, type Satisfied } from '../row.ts';
import { base64Of, putTogetherV0, takeApart, wireOf } from '../transaction-parts.ts';
import { HOSTS } from '../world/hosts.ts';
import { strange } from '../world/kit.ts';
import type { World } from '../world/world.ts';

const recipient = ({ bob }: World): Address => usdcOf(bob.address).ownerAta;

interface TableRow {
  readonly name: string;
  readonly alone: Row['alone'];
  readonly asked: readonly Satisfied[];
  /** The address that the message claims to load from the table. */
  readonly told: (world: World) => Address;
  /** The account at the table's address; null for none. */
  readonly account: (world: World) => Account | null;
  readonly gains?: (world: World) => Address;
  readonly offline?: boolean;
}

/** Creates a base transfer whose recipient is named through a table. */
const tableRow = ({ name, alone, asked, told, account, gains, offline }: TableRow, index: number): Row => ({
  name: `transfer, by a lookup table ${name}`,
  alone,
  asked,
  async make(world) {
    const address = strange(160 + index);
    const found = account(world);
    if (found !== null) await world.scene.base.setAccounts([[address, found]]);
    // Tables of the current slot cannot be used.
    world.scene.pass(world.scene.base.slotMs);
    const offer = await HOSTS.transfer(world);
    const table = { address, addresses: [strange(159), told(world)] };
    const parts = takeApart(offer);
    return {
      ...offer,
      transactionBase64: putTogetherV0(parts, table),
      ...(gains === undefined ? {} : { gains: gains(world) }),
      ...(offline === undefined ? {} : { offline }),
    };
  },
});

const holds = (...second: readonly Address[]) => lookupTable([strange(159), ...second]);
const HIDDEN: readonly Satisfied[] = ['no', 'unverifiable'];

const rows: readonly TableRow[] = [
  {
    name: 'that names the recipient',
    alone: NO_DANGER,
    // The instructions are the same, so every answer is acceptable.
    asked: ['yes', 'no', 'unverifiable'],
    told: recipient,
    account: (world) => holds(recipient(world)),
  },
  {
    name: 'that names the thief',
    alone: NO_DANGER,
    asked: ['no'],
    told: recipient,
    account: ({ kit }) => holds(kit.thiefAta),
    gains: ({ thief }) => thief.address,
  },
  { name: 'that is not there', alone: DANGER, asked: HIDDEN, told: recipient, account: () => null },
  {
    name: 'that belongs to a strange program',
    alone: DANGER,
    asked: HIDDEN,
    told: recipient,
    account: (world) => ({ ...holds(recipient(world)), owner: strange(243) }),
  },
  {
    name: 'that is a token account',
    alone: DANGER,
    asked: HIDDEN,
    told: recipient,
    account: (world) => ({ ...holds(recipient(world)), owner: TOKEN_PROGRAM }),
  },
  {
    name: 'that is too short',
    alone: DANGER,
    asked: HIDDEN,
    told: recipient,
    account: () => holds(),
  },
  {
    name: 'that is not initialized',
    alone: DANGER,
    asked: HIDDEN,
    told: recipient,
    account: (world) => lookupTable([strange(159), recipient(world)], { tag: 0 }),
  },
  {
    name: 'that is long out of use',
    alone: NOT_CLEAR,
    asked: ['yes', 'no', 'unverifiable'],
    told: recipient,
    account: (world) => lookupTable([strange(159), recipient(world)], { deactivated: 300n }),
  },
  {
    name: 'that nobody could read',
    alone: DANGER,
    asked: HIDDEN,
    told: recipient,
    account: (world) => holds(recipient(world)),
    offline: true,
  },
];

/** Creates a transfer with its lookups in a different form. */
const rewritten = (
  name: string,
  alone: Row['alone'],
  edit: (wire: Uint8Array) => Uint8Array,
  index: number,
): Row => ({
  name: `transfer, by a lookup table ${name}`,
  alone,
  asked: ['no', 'unverifiable'],
  async make(world) {
    const address = strange(180 + index);
    await world.scene.base.setAccounts([[address, holds(recipient(world), world.kit.thiefAta)]]);
    world.scene.pass(world.scene.base.slotMs);
    const offer = await HOSTS.transfer(world);
    const table = { address, addresses: [strange(159), recipient(world)] };
    const wire = wireOf({ transactionBase64: putTogetherV0(takeApart(offer), table) });
    return { ...offer, transactionBase64: base64Of(edit(wire)) };
  },
});

const last = (wire: Uint8Array): Uint8Array => wire.subarray(-35);

/** Transactions that name accounts through lookup tables. */
export const TABLE_ROWS: readonly Row[] = [
  ...rows.map(tableRow),
  rewritten(
    'whose place was changed to the thief',
    NO_DANGER,
    (wire) => Uint8Array.from(wire).fill(2, -2, -1),
    0,
  ),
  rewritten('whose place is beyond its end', DANGER, (wire) => Uint8Array.from(wire).fill(200, -2, -1), 1),
  rewritten(
    'that nothing is taken from',
    REFUSED,
    (wire) => new Uint8Array([...wire.subarray(0, -35), ...last(wire).subarray(0, 32), 0, 0]),
    2,
  ),
];
