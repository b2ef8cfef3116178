#!/usr/bin/env node
// A checkout runs the TypeScript sources. An installed package runs compiled files, because Node does not
// strip types under node_modules.
import { existsSync } from 'node:fs'

if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(`signalbox: needs Node 24 or newer; this is ${process.version}.\n`)
  process.exit(1)
}
const source = new URL('../src/signalbox.ts', import.meta.url)
const compiled = new URL('../dist/src/signalbox.js', import.meta.url)
await import(existsSync(source) ? source : compiled)
