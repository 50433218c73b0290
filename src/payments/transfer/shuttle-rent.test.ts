import { beforeEach, expect, it } from 'vitest';
import { ataOf, FRIEND, type LayoutBScene, openLayoutB, OWNER } from '../../../test/layout-b-scene.ts';
import { instructionsOf, refusalOf, runOperation } from '../../../test/run-operation.ts';
import { Clusters } from '../../chain/clusters.ts';
import { systemRandom } from '../../ports/random.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../programs/associated-token.ts';
import { mintTo } from '../../programs/token/instructions.ts';
import { littleEndian } from '../../rpc/testing/parse-call.ts';
import { mintData, withExtensions } from '../../rpc/testing/token-accounts.ts';
import { LOCAL_RENT } from '../../solana/account.ts';
import { type Address, addressBytes, addressOf } from '../../solana/address.ts';
import { RENT_PDA, rentPdaLow, rentPdaSpent } from '../fees/costs.ts';
import { createTransfer } from '../transfer.ts';

/** A mint of Token-2022 whose token accounts are as large as any that payments are built of. */
const MINT = addressOf(new Uint8Array(32).fill(98));
const SPONSOR = addressOf(new Uint8Array(32).fill(10));

let scene: LayoutBScene;

beforeEach(async ({ skip }) => {
  scene = openLayoutB(skip);
  Object.assign(scene.chain, { network: 'custom' });
  const authority = addressBytes(FRIEND);
  const noFee = [...littleEndian(0, 8), ...littleEndian(0, 8), 0, 0];
  const data = withExtensions(mintData({ mintAuthority: OWNER }), 1, [
    [1, Uint8Array.of(...new Uint8Array(72), ...noFee, ...noFee)],
    [14, Uint8Array.of(...authority, ...new Uint8Array(32))],
    [26, Uint8Array.of(...authority, 0)],
  ]);
  scene.vm.put(MINT, { lamports: 10_000_000n, owner: TOKEN_2022_PROGRAM, data });
  scene.vm.put(SPONSOR, { lamports: 1_000_000_000n, owner: SYSTEM_PROGRAM, data: new Uint8Array() });
  for (const owner of [OWNER, SPONSOR]) open(owner);
  await scene.play('initializeMint', { payer: OWNER, mint: MINT });
});

function open(owner: Address): void {
  const tokenProgram = TOKEN_2022_PROGRAM;
  const ata = deriveAta(owner, MINT, tokenProgram).address;
  const minted = { mint: MINT, destination: ata, authority: OWNER };
  scene.vm.run(
    OWNER,
    createAtaIdempotent({ payer: OWNER, ata, owner, mint: MINT, tokenProgram }),
    mintTo(tokenProgram, minted, 5_000_000n),
  );
}

async function build(args: object = { gasless: true }) {
  const sponsor = { address: SPONSOR, customMints: [MINT], cosign: async () => new Uint8Array(64) };
  const deps = { clusters: new Clusters([scene.chain]), random: systemRandom, sponsor };
  const parties = { from: OWNER, to: FRIEND, mint: MINT, amount: 600_000, ...args };
  const { output } = await runOperation(createTransfer(deps), parties);
  const payer = 'gasless' in args ? SPONSOR : OWNER;
  const land = () => scene.vm.run(payer, ...instructionsOf(output.transactionBase64));
  return { land, codes: output.warnings?.map(({ code }) => code) };
}

const holdInRentPda = (lamports: bigint): void =>
  scene.vm.put(RENT_PDA, { lamports, owner: SYSTEM_PROGRAM, data: new Uint8Array() });

it('a rent account too low for a shuttle always gives a warning (bug: not with a sponsor or Token-2022)', async () => {
  holdInRentPda(rentPdaLow(LOCAL_RENT));
  const { land, codes } = await build();
  expect(codes).toBeUndefined();
  land();
  holdInRentPda(rentPdaLow(LOCAL_RENT) - 1n);
  expect((await build()).codes).toEqual(['RENT_PDA_LOW']);
});

it.each([
  ['in private', {}],
  ['to the rollup', { toBalance: 'ephemeral', initIfMissing: true }],
])(
  'a payment %s fails and moves nothing if the rent account cannot pay for the shuttle, so a sponsor does not sign it (bug: it did, and paid for the attempt)',
  async (_, { initIfMissing = false, ...way }: { toBalance?: string; initIfMissing?: boolean }) => {
    scene.openAta(FRIEND, 0n);
    await scene.play('initializeMint', { payer: OWNER, mint: USDC_MINT });
    holdInRentPda(rentPdaSpent(LOCAL_RENT) - 1n);
    const { land, codes } = await build({ mint: USDC_MINT, initIfMissing, ...way });
    expect(codes).toEqual(['RENT_PDA_LOW']);
    const held = scene.tokensIn(ataOf(OWNER));
    expect(land).toThrow();
    expect(scene.tokensIn(ataOf(OWNER))).toBe(held);
    expect(await refusalOf(build({ gasless: true, ...way }))).toMatchObject({
      code: 'TRANSACTION_BUILD_ERROR',
      context: { field: 'gasless', reason: 'RENT_PDA_LOW' },
    });
  },
);
