#!/usr/bin/env node
// A checkout runs the TypeScript sources. An installed package runs compiled files, because Node does not
// strip types under node_modules.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const OLDEST = 24
/** Signals that stop a gateway, and SIGHUP, at which it reads its settings again. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGUSR2', 'SIGHUP']

if (Number.parseInt(process.versions.node, 10) >= OLDEST) {
  const source = new URL('../src/signalbox.ts', import.meta.url)
  const compiled = new URL('../dist/src/signalbox.js', import.meta.url)
  // Before the first TypeScript file: with a warm cache, Node never loads its TypeScript compiler.
  module.enableCompileCache()
  await import(existsSync(source) ? source : compiled)
} else {
  const node = findNode()
  if (node === null) {
    process.stderr.write(
      `signalbox: needs Node ${OLDEST} or newer; this is ${process.version}. ` +
        `npm install node@${OLDEST} gives the folder of signalbox one of its own.\n`,
    )
    process.exit(1)
  }
  runWith(node)
}

/** The Node of the npm package `node`, which a checkout installs, and which may stand beside an installed package. */
function findNode() {
  try {
    const at = createRequire(import.meta.url).resolve('node/package.json')
    const { version } = JSON.parse(readFileSync(at, 'utf8'))
    if (Number.parseInt(version, 10) < OLDEST) return null
    const node = join(dirname(at), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    return existsSync(node) ? node : null
  } catch {
    return null
  }
}

/** Runs this program again with a newer Node. A client of MCP stops the process that it started, so signals go on. */
function runWith(node) {
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const child = spawn(node, args, { stdio: 'inherit' })
  for (const signal of SIGNALS) {
    process.on(signal, () => child.kill(signal))
  }
  child.on('error', error => {
    process.stderr.write(`signalbox: ${node} cannot be started: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 130)))
}
