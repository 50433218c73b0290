import { parseArgs } from 'node:util';
import { ServiceError } from '../errors/service-error.ts';

/** What the command line asks for. */
export interface Arguments {
  /** `serve` runs everything behind ports; `mcp` speaks MCP over stdin and stdout. */
  readonly command: 'serve' | 'mcp';
  /** Throw the kept ledger away and start with a new one. */
  readonly reset: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

/** The text of `--help`. */
export const HELP = `Usage: spl-private-payments [command] [options]

Runs the tool service (MCP and REST) and the ledger node (Solana JSON-RPC) in one process.

Commands:
  mcp            speak MCP over stdin and stdout, for hosts that launch their servers

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
  const { values, positionals } = parse(args);
  const [command = 'serve', ...rest] = positionals;
  if (rest.length > 0 || (command !== 'mcp' && positionals.length > 0)) {
    throw notKnown(`Unexpected argument '${command === 'mcp' ? rest[0] : command}'.`);
  }
  return { command: command === 'mcp' ? 'mcp' : 'serve', ...values };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        reset: { type: 'boolean', short: 'r', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        version: { type: 'boolean', short: 'v', default: false },
      },
    });
  } catch (error) {
    // parseArgs throws TypeErrors whose text names the argument.
    throw notKnown((error as Error).message);
  }
}

function notKnown(sentence: string): ServiceError {
  return new ServiceError('CONFIG_INVALID', `${sentence}\nSee --help for what is known.`);
}
