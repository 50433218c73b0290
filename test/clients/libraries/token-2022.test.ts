import {
  amountToUiAmount,
  createAssociatedTokenAccount,
  createInitializeMetadataPointerInstruction,
  createInitializeMintInstruction,
  createInitializeNonTransferableMintInstruction,
  createInitializeTransferFeeConfigInstruction,
  createInterestBearingMint,
  ExtensionType,
  getAccount,
  getInterestBearingMintConfigState,
  getMetadataPointerState,
  getMint,
  getMintLen,
  getTokenMetadata,
  getTransferFeeAmount,
  getTransferFeeConfig,
  harvestWithheldTokensToMint,
  mintTo,
  TOKEN_2022_PROGRAM_ID,
  tokenMetadataInitializeWithRentTransfer,
  tokenMetadataUpdateFieldWithRentTransfer,
  transferChecked,
  transferCheckedWithFee,
  updateRateInterestBearingMint,
  withdrawWithheldTokensFromMint,
} from '@solana/spl-token';
import {
  Keypair,
  sendAndConfirmTransaction,
  SystemProgram,
  Transaction,
  type Connection,
  type PublicKey,
  type TransactionInstruction,
} from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startConnectedNode, type ConnectedNode } from './node.ts';

const DECIMALS = 6;
const PROGRAM = TOKEN_2022_PROGRAM_ID;
/** What the functions take before the program: how to confirm is left to the connection. */
const AS_CONNECTED = undefined;

let world: ConnectedNode;
let connection: Connection;
let payer: Keypair;
let shop: Keypair;

beforeAll(async () => {
  world = await startConnectedNode();
  ({ connection } = world);
  payer = await world.fundedWallet();
  shop = await world.fundedWallet();
});

afterAll(() => world.close());

/** Makes a mint of the payer's with these extensions, `begin` being their instructions. */
async function makeMint(
  extensions: ExtensionType[],
  begin: (mint: PublicKey) => readonly TransactionInstruction[],
): Promise<PublicKey> {
  const mint = Keypair.generate();
  const space = getMintLen(extensions);
  const create = SystemProgram.createAccount({
    fromPubkey: payer.publicKey,
    newAccountPubkey: mint.publicKey,
    space,
    lamports: await connection.getMinimumBalanceForRentExemption(space),
    programId: PROGRAM,
  });
  const transaction = new Transaction().add(
    create,
    ...begin(mint.publicKey),
    createInitializeMintInstruction(mint.publicKey, DECIMALS, payer.publicKey, null, PROGRAM),
  );
  await sendAndConfirmTransaction(connection, transaction, [payer, mint]);
  return mint.publicKey;
}

const makeAccount = (mint: PublicKey, owner: Keypair): Promise<PublicKey> =>
  createAssociatedTokenAccount(connection, payer, mint, owner.publicKey, AS_CONNECTED, PROGRAM);

const mintHundred = (mint: PublicKey, account: PublicKey): Promise<string> =>
  mintTo(connection, payer, mint, account, payer, 100_000_000n, [], AS_CONNECTED, PROGRAM);

const read = (account: PublicKey) => getAccount(connection, account, AS_CONNECTED, PROGRAM);
const readMint = (mint: PublicKey) => getMint(connection, mint, AS_CONNECTED, PROGRAM);

/** The extensions of a mint as the node reports them, by name. */
async function extensionsOf(mint: PublicKey): Promise<Record<string, unknown>> {
  const { value } = await connection.getParsedAccountInfo(mint);
  const data = value?.data as { parsed: { info: { extensions: { extension: string; state: unknown }[] } } };
  return Object.fromEntries(
    data.parsed.info.extensions.map(({ extension, state }) => [extension, state ?? true]),
  );
}

describe('@solana/spl-token with Token-2022', () => {
  it('withholds a fee from each transfer, and withdraws the withheld fees', async () => {
    const mint = await makeMint([ExtensionType.TransferFeeConfig], (address) => [
      createInitializeTransferFeeConfigInstruction(
        address,
        payer.publicKey,
        payer.publicKey,
        100,
        500n,
        PROGRAM,
      ),
    ]);
    expect(getTransferFeeConfig(await readMint(mint))?.newerTransferFee).toMatchObject({
      maximumFee: 500n,
      transferFeeBasisPoints: 100,
    });
    const [own, till] = [await makeAccount(mint, payer), await makeAccount(mint, shop)];
    await mintHundred(mint, own);

    const paidWithFee = [own, mint, till, payer, 10_000n, DECIMALS, 100n] as const;
    await transferCheckedWithFee(connection, payer, ...paidWithFee, [], AS_CONNECTED, PROGRAM);
    await transferChecked(
      connection,
      payer,
      own,
      mint,
      till,
      payer,
      1_000_000n,
      DECIMALS,
      [],
      AS_CONNECTED,
      PROGRAM,
    );
    const paid = await read(till);
    expect(paid.amount).toBe(9_900n + 999_500n);
    expect(getTransferFeeAmount(paid)?.withheldAmount).toBe(600n);

    await harvestWithheldTokensToMint(connection, payer, mint, [till], AS_CONNECTED, PROGRAM);
    expect(getTransferFeeConfig(await readMint(mint))?.withheldAmount).toBe(600n);
    await withdrawWithheldTokensFromMint(connection, payer, mint, own, payer, [], AS_CONNECTED, PROGRAM);
    expect((await read(own)).amount).toBe(100_000_000n - 1_010_000n + 600n);
    expect(await extensionsOf(mint)).toMatchObject({
      transferFeeConfig: {
        newerTransferFee: { maximumFee: 500, transferFeeBasisPoints: 100 },
        withheldAmount: 0,
      },
    });
  });

  it('stores metadata in the mint itself', async () => {
    const mint = await makeMint([ExtensionType.MetadataPointer], (address) => [
      createInitializeMetadataPointerInstruction(address, payer.publicKey, address, PROGRAM),
    ]);
    const names = ['Groceries', 'GRC', 'https://example.org/grc.json'] as const;
    const begin = [payer.publicKey, payer, ...names] as const;
    await tokenMetadataInitializeWithRentTransfer(
      connection,
      payer,
      mint,
      ...begin,
      [],
      AS_CONNECTED,
      PROGRAM,
    );
    const field = [payer, 'shelf', 'dairy'] as const;
    await tokenMetadataUpdateFieldWithRentTransfer(
      connection,
      payer,
      mint,
      ...field,
      [],
      AS_CONNECTED,
      PROGRAM,
    );

    expect(getMetadataPointerState(await readMint(mint))?.metadataAddress).toEqual(mint);
    const [name, symbol, uri] = names;
    const metadata = { name, symbol, uri, additionalMetadata: [['shelf', 'dairy']] };
    expect(await getTokenMetadata(connection, mint, AS_CONNECTED, PROGRAM)).toMatchObject(metadata);
    expect(await extensionsOf(mint)).toMatchObject({
      metadataPointer: { metadataAddress: mint.toBase58() },
      tokenMetadata: { ...metadata, mint: mint.toBase58(), updateAuthority: payer.publicKey.toBase58() },
    });
  });

  it('shows amounts with interest, using a simulation', async () => {
    const made = [payer, payer.publicKey, payer.publicKey, payer.publicKey, 0, DECIMALS] as const;
    const mint = await createInterestBearingMint(
      connection,
      ...made,
      Keypair.generate(),
      AS_CONNECTED,
      PROGRAM,
    );
    expect(await amountToUiAmount(connection, payer, mint, 2_500_000n, PROGRAM)).toBe('2.5');
    await updateRateInterestBearingMint(connection, payer, mint, payer, 32_767, [], AS_CONNECTED, PROGRAM);
    expect(getInterestBearingMintConfigState(await readMint(mint))?.currentRate).toBe(32_767);
    expect(await extensionsOf(mint)).toMatchObject({ interestBearingConfig: { currentRate: 32_767 } });
  });

  it('rejects a transfer of non-transferable tokens', async () => {
    const mint = await makeMint([ExtensionType.NonTransferable], (address) => [
      createInitializeNonTransferableMintInstruction(address, PROGRAM),
    ]);
    const [own, till] = [await makeAccount(mint, payer), await makeAccount(mint, shop)];
    await mintHundred(mint, own);
    const paid = [own, mint, till, payer, 1n, DECIMALS] as const;
    await expect(transferChecked(connection, payer, ...paid, [], AS_CONNECTED, PROGRAM)).rejects.toThrow(
      'custom program error: 0x25',
    );
    expect(await extensionsOf(mint)).toHaveProperty('nonTransferable');
  });
});
