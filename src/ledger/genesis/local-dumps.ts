import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ServiceError } from '../../errors/service-error.ts';
import { RENT_EXEMPT_EPOCH, type Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';

/** MagicBlock's validator as npm has it. Only the dumps are used, nothing of it is run. */
const PACKAGE = '@magicblock-labs/ephemeral-validator';

/** Where it keeps the programs and accounts of the base ledger it starts for itself. */
const DUMPS_FOLDER = join('bin', 'local-dumps');

/** An account as `solana account --output json` writes it. */
interface AccountDump {
  readonly account: {
    readonly lamports: number;
    readonly data: readonly [string, 'base64'];
    readonly owner: Address;
    readonly executable: boolean;
  };
}

/**
 * The code (ELF) of a program from the installed package.
 *
 * @throws {ServiceError} PROGRAM_BINARIES_MISSING.
 */
export function readProgramDump(program: Address): Uint8Array {
  return new Uint8Array(readDump(`${program}.so`));
}

/**
 * An account from the installed package. All of them are rent-exempt, so their rent epoch is known without reading it
 * from JSON, where it is too large for a number.
 *
 * @throws {ServiceError} PROGRAM_BINARIES_MISSING.
 */
export function readAccountDump(address: Address): Account {
  const { account } = JSON.parse(readDump(`${address}.json`).toString('utf8')) as AccountDump;
  return {
    lamports: BigInt(account.lamports),
    owner: account.owner,
    data: new Uint8Array(Buffer.from(account.data[0], 'base64')),
    executable: account.executable,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
}

function readDump(file: string): Buffer {
  try {
    const packageFile = createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`);
    return readFileSync(join(dirname(packageFile), DUMPS_FOLDER, file));
  } catch (cause) {
    throw new ServiceError(
      'PROGRAM_BINARIES_MISSING',
      `${file} of the npm package ${PACKAGE} is not installed. Run npm ci in the project's folder`,
      { file },
      { cause },
    );
  }
}
