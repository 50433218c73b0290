import {
  closeLut,
  createAssociatedToken,
  createLut,
  createAccount,
  initializeMint2,
  deactivateLut,
  fetchAddressLookupTable,
  fetchAllTokenByOwner,
  fetchMint,
  fetchToken,
  findAssociatedTokenPda,
  getMintSize,
  mintTokensTo,
  mplToolbox,
  setComputeUnitLimit,
  transferSol,
  transferTokens,
} from '@metaplex-foundation/mpl-toolbox';
import {
  generateSigner,
  keypairIdentity,
  lamports,
  sol,
  transactionBuilder,
  type AddressLookupTableInput,
  type KeypairSigner,
  type PublicKey,
  type Umi,
} from '@metaplex-foundation/umi';
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startConnectedNode, type ConnectedNode } from './node.ts';

const DECIMALS = 6;
const CONFIRMED = { confirm: { commitment: 'confirmed' } } as const;
/** More than a transaction has room for by address, and no more than one that extends a table has. */
const SHOPS = 24;

let world: ConnectedNode;
let umi: Umi;
let payer: KeypairSigner;
let mint: KeypairSigner;
let shops: readonly PublicKey[];
let table: AddressLookupTableInput;

beforeAll(async () => {
  world = await startConnectedNode();
  umi = createUmi(world.connection).use(mplToolbox());
  payer = generateSigner(umi);
  mint = generateSigner(umi);
  shops = Array.from({ length: SHOPS }, () => generateSigner(umi).publicKey);
  umi.use(keypairIdentity(payer));
});

afterAll(() => world.close());

/** A payment to each shop in one transaction. */
const payAll = (amount: bigint) =>
  shops.reduce(
    (builder, destination) => builder.add(transferSol(umi, { destination, amount: lamports(amount) })),
    transactionBuilder(),
  );

describe('umi with its default bundle, in this order,', () => {
  it('receives an airdrop', async () => {
    await umi.rpc.airdrop(payer.publicKey, sol(10), CONFIRMED.confirm);
    expect(await umi.rpc.getBalance(payer.publicKey)).toEqual(sol(10));
  });

  it('creates a mint and token accounts, and transfers tokens', async () => {
    const [own, till] = [payer.publicKey, shops[0] as PublicKey].map(
      (owner) => findAssociatedTokenPda(umi, { mint: mint.publicKey, owner })[0],
    ) as [PublicKey, PublicKey];
    // The bundle's own createMint needs a program of Metaplex's that measures the rent.
    const space = getMintSize();
    await createAccount(umi, {
      newAccount: mint,
      lamports: await umi.rpc.getRent(space),
      space,
      programId: umi.programs.getPublicKey('splToken'),
    })
      .add(
        initializeMint2(umi, {
          mint: mint.publicKey,
          decimals: DECIMALS,
          mintAuthority: payer.publicKey,
          freezeAuthority: null,
        }),
      )
      .add(createAssociatedToken(umi, { mint: mint.publicKey, owner: payer.publicKey }))
      .add(createAssociatedToken(umi, { mint: mint.publicKey, owner: shops[0] as PublicKey }))
      .add(mintTokensTo(umi, { mint: mint.publicKey, token: own, amount: 9_000_000n }))
      .sendAndConfirm(umi, CONFIRMED);
    const { signature, result } = await transferTokens(umi, {
      source: own,
      destination: till,
      amount: 2_500_000n,
    })
      .prepend(setComputeUnitLimit(umi, { units: 50_000 }))
      .sendAndConfirm(umi, CONFIRMED);
    expect(result.value.err).toBeNull();
    expect((await fetchMint(umi, mint.publicKey)).supply).toBe(9_000_000n);
    expect((await fetchToken(umi, till)).amount).toBe(2_500_000n);
    const held = await fetchAllTokenByOwner(umi, payer.publicKey);
    expect(held.map(({ publicKey: address }) => address)).toEqual([own]);
    const [status] = await umi.rpc.getSignatureStatuses([signature]);
    expect(status).toMatchObject({ error: null });
    const landed = await umi.rpc.getTransaction(signature);
    expect(landed?.meta.err).toBeNull();
    expect(landed?.meta.postTokenBalances).toHaveLength(2);
  });

  it('cannot pay that many shops in one transaction without a lookup table', () => {
    const builder = payAll(1_000_000n).setVersion(0);
    expect(builder.fitsInOneTransaction(umi)).toBe(false);
  });

  it('creates a lookup table and extends it', async () => {
    const recentSlot = await umi.rpc.getSlot({ commitment: 'finalized' });
    const [create, made] = createLut(umi, { recentSlot, addresses: [...shops] });
    await create.sendAndConfirm(umi, CONFIRMED);
    table = made;
    const kept = await fetchAddressLookupTable(umi, made.publicKey);
    expect(kept.addresses).toEqual(shops);
    expect(kept.authority).toMatchObject({ value: payer.publicKey });
  });

  it('pays them in one version 0 transaction through the table', async () => {
    const builder = payAll(1_000_000n).setVersion(0).setAddressLookupTables([table]);
    expect(builder.fitsInOneTransaction(umi)).toBe(true);
    const { signature } = await builder.sendAndConfirm(umi, CONFIRMED);
    const accounts = await umi.rpc.getAccounts([...shops]);
    expect(accounts.map((each) => each.exists && each.lamports)).toEqual(
      shops.map(() => lamports(1_000_000n)),
    );
    const landed = await umi.rpc.getTransaction(signature);
    expect(landed?.message.version).toBe(0);
    expect(landed?.meta.loadedAddresses).toEqual({ readonly: [], writable: [...shops] });
  });

  it('reads many accounts in batches, including missing ones', async () => {
    const asked = Array.from({ length: 250 }, (_, at) => shops[at] ?? generateSigner(umi).publicKey);
    const accounts = await umi.rpc.getAccounts(asked);
    expect(accounts.map((each) => each.publicKey)).toEqual(asked);
    expect(accounts.filter((each) => each.exists)).toHaveLength(SHOPS);
  });

  it('receives the logs of a transaction that preflight rejects', async () => {
    const poor = generateSigner(umi);
    const builder = transferSol(umi, { source: poor, destination: payer.publicKey, amount: sol(1) });
    await expect(builder.sendAndConfirm(umi, CONFIRMED)).rejects.toMatchObject({
      logs: expect.arrayContaining([expect.stringContaining('insufficient lamports 0, need 1000000000')]),
    });
    const built = await builder.buildAndSign(umi);
    const simulated = await umi.rpc.simulateTransaction(built);
    expect(simulated.err).toEqual({ InstructionError: [0, { Custom: 1 }] });
  });

  it('deactivates the table, which cannot be closed while recent blocks may use it', async () => {
    await deactivateLut(umi, { address: table.publicKey, authority: payer }).sendAndConfirm(umi, CONFIRMED);
    const kept = await fetchAddressLookupTable(umi, table.publicKey);
    expect(kept.deactivationSlot).toBeLessThan(2n ** 64n - 1n);
    const close = closeLut(umi, { address: table.publicKey, authority: payer, recipient: payer.publicKey });
    await expect(close.sendAndConfirm(umi, CONFIRMED)).rejects.toMatchObject({
      logs: expect.arrayContaining([expect.stringContaining('Table cannot be closed until')]),
    });
  });

  it('identifies the chain by its genesis hash', async () => {
    expect(await umi.rpc.getGenesisHash()).toBe(world.node.ledger.genesisHash);
  });
});
