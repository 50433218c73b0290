import { EPHEMERAL_TOKEN_PROGRAM, TOKEN_PROGRAM } from '../../../src/programs/addresses.ts';
import { EATA_TABLE } from '../../../src/programs/ephemeral-token/table/eata.ts';
import { concat, u32, u64, u8 } from '../../../src/programs/instruction-data.ts';
import type { Instruction } from '../../../src/solana/instruction.ts';
import { ANY, CAUTION, CLEAR, DANGER, NO_DANGER, NOT_CLEAR, type Row } from '../row.ts';
import { type Parts, rebuilt } from '../transaction-parts.ts';
import { type HostName, HOSTS } from '../world/hosts.ts';
import type { World } from '../world/world.ts';

const change = (
  host: HostName,
  how: string,
  alone: Row['alone'],
  make: (parts: Parts, world: World) => Partial<Parts>,
): Row => ({
  name: `${host}, ${how}`,
  alone,
  asked: ['no'],
  make: async (world) => rebuilt(await HOSTS[host](world), (parts) => make(parts, world)),
});

/** Replaces the data of the instructions that match. */
const withData = (
  { instructions }: Parts,
  matches: (instruction: Instruction) => boolean,
  data: (old: Uint8Array) => Uint8Array,
): Partial<Parts> => {
  if (!instructions.some(matches)) throw new Error('there is no such instruction');
  return {
    instructions: instructions.map((each) => (matches(each) ? { ...each, data: data(each.data) } : each)),
  };
};

const isTag =
  (tag: number, program = EPHEMERAL_TOKEN_PROGRAM) =>
  ({ programId, data }: Instruction): boolean =>
    programId === program && data[0] === tag;

const without = ({ instructions }: Parts, matches: (instruction: Instruction) => boolean): Partial<Parts> => {
  if (!instructions.some(matches)) throw new Error('there is no such instruction');
  return { instructions: instructions.filter((each) => !matches(each)) };
};

const isTransfer = isTag(3, TOKEN_PROGRAM);
const [isDeposit, isWithdrawal, isDelegation] = [
  isTag(EATA_TABLE.deposit.tag),
  isTag(EATA_TABLE.withdraw.tag),
  isTag(EATA_TABLE.delegateEata.tag),
];
const isPermission = isTag(EATA_TABLE.createPermission.tag);

/** `data` with the u64 after its tag replaced. */
const withAmount = (amount: bigint) => (data: Uint8Array) => {
  const changed = Uint8Array.from(data);
  changed.set(u64(amount), 1);
  return changed;
};

const amounts = (host: HostName, matches: (instruction: Instruction) => boolean): Row[] => [
  change(host, 'of twice the amount', NO_DANGER, (parts) => withData(parts, matches, withAmount(2_000_000n))),
  change(host, 'of one base unit more', CLEAR, (parts) => withData(parts, matches, withAmount(1_000_001n))),
  change(host, 'of one base unit less', CLEAR, (parts) => withData(parts, matches, withAmount(999_999n))),
  change(host, 'of nothing', NO_DANGER, (parts) => withData(parts, matches, withAmount(0n))),
  change(host, 'of more than there is', NOT_CLEAR, (parts) =>
    withData(parts, matches, withAmount(0xffff_ffff_ffff_ffffn)),
  ),
  change(host, 'with a byte after its data', NOT_CLEAR, (parts) =>
    withData(parts, matches, (data) => concat(data, u8(0))),
  ),
  change(host, 'with its data cut short', NOT_CLEAR, (parts) =>
    withData(parts, matches, (data) => data.subarray(0, -1)),
  ),
  change(host, 'with a discriminator of four bytes', NOT_CLEAR, (parts) =>
    withData(parts, matches, (data) => concat(u32(data[0] as number), data.subarray(1))),
  ),
  change(host, 'with a discriminator of eight bytes', NOT_CLEAR, (parts) =>
    withData(parts, matches, (data) => concat(u64(BigInt(data[0] as number)), data.subarray(1))),
  ),
  change(host, 'twice over', NO_DANGER, ({ instructions }) => ({
    instructions: [...instructions, ...instructions.filter(matches)],
  })),
  change(host, 'with an account more', ANY, ({ instructions }, { kit }) => ({
    instructions: instructions.map((each) =>
      matches(each)
        ? { ...each, accounts: [...each.accounts, { address: kit.thiefAta, signer: false, writable: true }] }
        : each,
    ),
  })),
  change(host, 'with an account less', NOT_CLEAR, ({ instructions }) => ({
    instructions: instructions.map((each) =>
      matches(each) ? { ...each, accounts: each.accounts.slice(0, -1) } : each,
    ),
  })),
];

/** Instructions that are changed, omitted or reordered. */
export const CHANGE_ROWS: readonly Row[] = [
  ...amounts('deposit', isDeposit),
  ...amounts('withdraw', isWithdrawal),
  ...amounts('transfer', isTransfer),
  ...amounts('rollupTransfer', isTransfer),
  change('deposit', 'without its permission', NO_DANGER, (parts) => without(parts, isPermission)),
  change('deposit', 'without its delegation', NO_DANGER, (parts) => without(parts, isDelegation)),
  change('deposit', 'without the deposit itself', NO_DANGER, (parts) => without(parts, isDeposit)),
  change('deposit', 'in the other order', ANY, ({ instructions }) => ({
    instructions: instructions.toReversed(),
  })),
  change('deposit', 'handed to no validator by name', NOT_CLEAR, (parts) =>
    withData(parts, isDelegation, (data) => data.subarray(0, 2)),
  ),
  change('deposit', 'with another bump', ANY, (parts) =>
    withData(parts, isDelegation, (data) => Uint8Array.from(data).fill((data[1] as number) ^ 1, 1, 2)),
  ),
  change('deposit', 'with permission flags for the owner', ANY, (parts) =>
    withData(parts, isPermission, (data) => Uint8Array.from(data).fill(0xff, 2, 3)),
  ),
  change('withdraw', 'with another bump', NOT_CLEAR, (parts) =>
    withData(parts, isWithdrawal, (data) => Uint8Array.from(data).fill((data[9] as number) ^ 1, 9, 10)),
  ),
  change('transfer', 'made a burn', DANGER, (parts) =>
    withData(parts, isTransfer, (data) => concat(u8(8), data.subarray(1))),
  ),
  change('transfer', 'made an approval', DANGER, (parts) =>
    withData(parts, isTransfer, (data) => concat(u8(4), data.subarray(1))),
  ),
  change('transfer', 'made the minting of tokens', NOT_CLEAR, (parts) =>
    withData(parts, isTransfer, (data) => concat(u8(7), data.subarray(1))),
  ),
  change('transfer', 'made the closing of the account', NOT_CLEAR, (parts) =>
    withData(parts, isTransfer, () => u8(9)),
  ),
  change('transfer', 'made the freezing of the account', NOT_CLEAR, (parts) =>
    withData(parts, isTransfer, () => u8(10)),
  ),
  change('transfer', 'from the recipient to her', NOT_CLEAR, ({ instructions }) => ({
    instructions: instructions.map(({ accounts: [source, destination, ...rest], ...each }) => ({
      ...each,
      accounts: [destination, source, ...rest].flatMap((account) => account ?? []),
    })),
  })),
  change('transfer', 'to herself', ANY, ({ instructions }) => ({
    instructions: instructions.map(({ accounts: [source, , ...rest], ...each }) => ({
      ...each,
      accounts: [source, source, ...rest].flatMap((account) => account ?? []),
    })),
  })),
  ...(['deposit', 'withdraw', 'transfer', 'rollupTransfer'] as const).flatMap((host) => [
    change(host, 'with the thief as fee payer', ANY, (_, { thief }) => ({ feePayer: thief.address })),
    change(host, 'of no instructions', CAUTION, () => ({ instructions: [] })),
  ]),
];
