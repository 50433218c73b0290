import type { Operation } from '../../payments/operation.ts';

/** The part of a tool that scopes refer to. */
export interface ScopedTool extends Pick<Operation, 'effect'> {
  /** The MCP name of the tool, such as `spl.deposit`. It is also a scope. */
  readonly name: string;
}

/** Scopes by the effect of the tools that they permit. */
const SCOPE_OF_EFFECT = {
  read: 'spl:read',
  build: 'spl:build',
  send: 'spl:send',
  local: 'spl:send',
} as const satisfies Record<Operation['effect'], string>;

/** The scopes that permit several tools. */
export const SCOPES: readonly string[] = [...new Set(Object.values(SCOPE_OF_EFFECT))];

/** The scopes to request first. Sending is a step-up, because most callers only read and build. */
export const FIRST_SCOPES: readonly string[] = ['spl:read', 'spl:build'];

/** Returns the scope that permits all tools with this effect. */
export const scopeOf = (effect: Operation['effect']): string => SCOPE_OF_EFFECT[effect];

/** Whether `scopes` permit a tool: with the scope of its effect, or with its name. */
export function permits(scopes: ReadonlySet<string>, tool: ScopedTool): boolean {
  return scopes.has(scopeOf(tool.effect)) || scopes.has(tool.name);
}
