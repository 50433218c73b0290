import type { Logger } from '../../src/ports/logger.ts';

/** Creates a logger that adds every line of every level to `lines`. */
export function recordingLogger(lines: string[]): Logger {
  const at = (level: string) => (fields: object, message: string) => {
    lines.push(`${level} ${JSON.stringify(fields, errorsAsText)} ${message}`);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

const errorsAsText = (_: string, value: unknown): unknown => (value instanceof Error ? value.message : value);
