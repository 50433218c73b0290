import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  createSolanaRpc,
  createTransactionMessage,
  generateKeyPairSigner,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getProgramDerivedAddress,
  getU64Encoder,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type Address,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit';

const SYSTEM = address('11111111111111111111111111111111');
const TOKEN = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const ATA_PROGRAM = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');

/** Bytes of a mint (SPL Token `Mint`), and what keeps them. */
const MINT_BYTES = 82n;
const MINT_LAMPORTS = 1_461_600n;

const u64 = (value: bigint): readonly number[] => [...getU64Encoder().encode(value)];
const key = (of: Address): readonly number[] => [...getAddressEncoder().encode(of)];

/**
 * Makes a mint with `decimals` and mints `amount` base units to each owner's ATA, all in one transaction that
 * `payer`, who becomes the authority, signs. Resolves to the mint's address.
 */
export async function createMint(
  ledgerUrl: string,
  payer: KeyPairSigner,
  { decimals, amount, owners }: { decimals: number; amount: bigint; owners: readonly Address[] },
): Promise<Address> {
  const mint = await generateKeyPairSigner();
  const instructions: Instruction[] = [
    {
      programAddress: SYSTEM,
      accounts: [signer(payer), signer(mint)],
      data: Uint8Array.from([0, 0, 0, 0, ...u64(MINT_LAMPORTS), ...u64(MINT_BYTES), ...key(TOKEN)]),
    },
    {
      programAddress: TOKEN,
      accounts: [writable(mint.address)],
      data: Uint8Array.from([20, decimals, ...key(payer.address), 0]),
    },
  ];
  for (const owner of owners) {
    instructions.push(...(await mintTo(payer, { mint: mint.address, owner, amount })));
  }
  const rpc = createSolanaRpc(ledgerUrl);
  const { value: latest } = await rpc.getLatestBlockhash().send();
  const transaction = await pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayerSigner(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(latest, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
    (message) => signTransactionMessageWithSigners(message),
  );
  const wire = getBase64EncodedWireTransaction(transaction);
  await rpc.sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'confirmed' }).send();
  return mint.address;
}

/** The address at which an owner holds a mint's tokens. */
export async function findAta(owner: Address, mint: Address): Promise<Address> {
  const seeds = [owner, TOKEN, mint].map((seed) => getAddressEncoder().encode(seed));
  const [ata] = await getProgramDerivedAddress({ programAddress: ATA_PROGRAM, seeds });
  return ata;
}

/** CreateIdempotent of the ATA program, then MintTo. */
async function mintTo(
  authority: KeyPairSigner,
  { mint, owner, amount }: { mint: Address; owner: Address; amount: bigint },
): Promise<Instruction[]> {
  const ata = await findAta(owner, mint);
  const others = [owner, mint, SYSTEM, TOKEN].map((each) => ({ address: each, role: AccountRole.READONLY }));
  return [
    {
      programAddress: ATA_PROGRAM,
      accounts: [signer(authority), writable(ata), ...others],
      data: Uint8Array.of(1),
    },
    {
      programAddress: TOKEN,
      accounts: [writable(mint), writable(ata), signer(authority)],
      data: Uint8Array.from([7, ...u64(amount)]),
    },
  ];
}

const writable = (of: Address) => ({ address: of, role: AccountRole.WRITABLE });
const signer = (of: KeyPairSigner) => ({
  address: of.address,
  role: AccountRole.WRITABLE_SIGNER,
  signer: of,
});
