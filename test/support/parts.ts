import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { findPostgres } from './postgres.ts'

/** A program that some tests need, and that may be missing on a machine. */
export interface Part {
  readonly name: string
  readonly available: boolean
  readonly tests: string
  readonly install: string
}

export const gh: Part = {
  name: 'gh',
  available: onPath('gh'),
  tests: 'the CLI route of the GitHub pack',
  install: 'apt-get install gh, or brew install gh',
}

export const chromium: Part = {
  name: 'chromium',
  available: onPath('chromium'),
  tests: 'the inspector in a browser',
  install: 'apt-get install chromium',
}

export const postgres: Part = {
  name: 'PostgreSQL',
  available: findPostgres() !== null,
  tests: 'the journal in PostgreSQL',
  install: 'apt-get install postgresql, or brew install postgresql',
}

export const redis: Part = {
  name: 'redis-server',
  available: onPath('redis-server'),
  tests: 'the state that several gateways share',
  install: 'apt-get install redis-server, or brew install redis',
}

export const prometheus: Part = {
  name: 'prometheus',
  available: onPath('prometheus') && onPath('promtool'),
  tests: 'the prometheus pack',
  install: 'apt-get install prometheus, or brew install prometheus',
}

export const nginx: Part = {
  name: 'nginx',
  available: onPath('nginx'),
  tests: 'a gateway behind a proxy',
  install: 'apt-get install nginx-light, or brew install nginx',
}

export const parts: readonly Part[] = [gh, postgres, redis, chromium, prometheus, nginx]

/** Options for playwright-core to start the system's Chromium, without its sandbox, which containers do not support. */
export const launchOptions = {
  executablePath: find('chromium') ?? 'chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}

function onPath(program: string): boolean {
  return find(program) !== undefined
}

function find(program: string): string | undefined {
  const places = (process.env.PATH ?? '').split(delimiter).map(place => join(place, program))
  return places.find(place => {
    try {
      accessSync(place, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
