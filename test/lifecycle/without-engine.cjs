/**
 * Loaded before the program: as if the packages with the engine's binaries, which are optional, were not
 * installed.
 */
const { Module } = require('node:module');

const load = Module.prototype.require;
Module.prototype.require = function (name) {
  if (!name.startsWith('litesvm-')) return load.call(this, name);
  throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
};
