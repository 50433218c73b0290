import { parseArgs } from 'node:util';
import { ServiceError } from '../errors/service-error.ts';

/** What the command line asks for. */
export interface Arguments {
  /** Throw the kept ledger away and start with a new one. */
  readonly reset: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

/** The text of `--help`. */
export const HELP = `Usage: spl-private-payments [options]

Runs the tool service (MCP) and the ledger node (Solana JSON-RPC) in one process.

Options:
  -r, --reset    throw the kept ledger away and start with a new one
  -h, --help     print this text
  -v, --version  print the version

Settings come from environment variables or a .env file; .env.example documents them.
`;

/**
 * Reads the command line.
 *
 * @throws {ServiceError} CONFIG_INVALID naming what is not known.
 */
export function readArguments(args: readonly string[]): Arguments {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        reset: { type: 'boolean', short: 'r', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        version: { type: 'boolean', short: 'v', default: false },
      },
    });
    return values;
  } catch (error) {
    // parseArgs throws TypeErrors whose text names the argument.
    throw new ServiceError('CONFIG_INVALID', `${(error as Error).message}\nSee --help for what is known.`);
  }
}
