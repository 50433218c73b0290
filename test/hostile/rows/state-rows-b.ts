import { RENT_PDA } from '../../../src/payments/fees/costs.ts';
import {
  EPHEMERAL_TOKEN_PROGRAM,
  NATIVE_MINT,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../src/programs/addresses.ts';
import { deriveAta } from '../../../src/programs/associated-token.ts';
import { SHUTTLE_TABLE } from '../../../src/programs/ephemeral-token/table/shuttle.ts';
import { transferLamports } from '../../../src/programs/system.ts';
import type { Address } from '../../../src/solana/address.ts';
import { mintData, tokenAccountData } from '../../ports/map-chain.ts';
import { ELSEWHERE } from '../extras/eata-program.ts';
import { DANGER, NOT_CLEAR, type Row } from '../row.ts';
import { rebuilt, takeApart } from '../transaction-parts.ts';
import { build, type HostNameB, HOSTS_B } from '../world/hosts-b.ts';
import { ALICE, NEW_MINT, type WorldB } from '../world/world-b.ts';

const BY_SHUTTLE: ReadonlySet<number> = new Set([
  SHUTTLE_TABLE.depositByShuttle.tag,
  SHUTTLE_TABLE.transferByShuttle.tag,
  SHUTTLE_TABLE.withdrawByShuttle.tag,
]);

/** Returns the shuttle that a transaction opens: its second account after the rent PDA. */
function shuttleOf(transactionBase64: string): Address {
  const { instructions } = takeApart({ transactionBase64 });
  const call = instructions.find(
    ({ programId, data }) => programId === EPHEMERAL_TOKEN_PROGRAM && BY_SHUTTLE.has(data[0] as number),
  );
  return call?.accounts[2]?.address as Address;
}

/** Creates a row with an existing shuttle, which moves no tokens. Only the fee is charged. */
const usedShuttle = (host: HostNameB): Row<WorldB> => ({
  name: `layout B ${host}, by a shuttle that is there already`,
  alone: NOT_CLEAR,
  asked: ['no', 'unverifiable'],
  async make(world) {
    const offer = await HOSTS_B[host](world);
    const shuttle = { owner: EPHEMERAL_TOKEN_PROGRAM, data: new Uint8Array(72) };
    world.chain.put(shuttleOf(offer.transactionBase64), shuttle);
    return offer;
  },
});

const wrappedAta = deriveAta(ALICE, NATIVE_MINT, TOKEN_PROGRAM).address;

/** Builds a deposit of wrapped SOL, which needs none of Alice's lamports. */
async function buildWrapped(world: WorldB) {
  world.chain
    .put(NATIVE_MINT, { owner: TOKEN_PROGRAM, data: mintData(9) })
    .put(wrappedAta, {
      owner: TOKEN_PROGRAM,
      data: tokenAccountData(NATIVE_MINT, ALICE, 5_000_000n),
      lamports: 7_039_280n,
    })
    .put(RENT_PDA, { owner: SYSTEM_PROGRAM, data: new Uint8Array(), lamports: 20_000_000n });
  const args = { owner: ALICE, mint: NATIVE_MINT, amount: 1_000_000, initVaultIfMissing: true };
  return await build(world, 'deposit', args);
}

const giftTo = (what: string, to: Address, lamports: bigint): Row<WorldB> => ({
  name: `layout B deposit of wrapped SOL, with lamports for ${what} that nothing needs`,
  alone: NOT_CLEAR,
  asked: ['no', 'unverifiable'],
  make: async (world) =>
    rebuilt(await buildWrapped(world), ({ instructions }) => ({
      instructions: [transferLamports(ALICE, to, lamports), ...instructions],
    })),
});

/** A validator other than the cluster's, named in the request. */
const elsewhereByName: Row<WorldB> = {
  name: 'layout B initializeMint, on another validator by name',
  alone: DANGER,
  codes: ['OTHER_VALIDATOR'],
  asked: ['yes', 'unverifiable'],
  make: (world) => build(world, 'initializeMint', { payer: ALICE, mint: NEW_MINT, validator: ELSEWHERE }),
};

/** Accounts of layout B in a state that does not fit the transaction. */
export const STATE_ROWS_B: readonly Row<WorldB>[] = [
  ...(['deposit', 'withdraw', 'privateTransfer', 'toRollup'] as const).map(usedShuttle),
  giftTo('the rent PDA', RENT_PDA, 20_000_000n),
  giftTo('her own wrapped SOL', wrappedAta, 1_000_000n),
  elsewhereByName,
];
