import { type Door, HTTP_DOOR } from '../model/door.ts'
import { hintAtDoor } from './at-door.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import type { Hint, HintAnswer } from './hint.ts'

export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

/** A hint of an upstream directory. */
export interface CustomHint extends Hint {
  readonly translations?: Readonly<Record<string, string>>
}

/** Looks up hints. */
export interface Hints {
  /** Null when no hint has this id. @param language default: English */
  get(id: string, language?: Language): Hint | null
  /**
   * Several hints, or all with null, as a caller at this door can follow them. Falls back to English where a
   * translation is missing. @param door default: HTTP
   */
  find(ids: readonly string[] | null, language: Language, door?: Door): HintAnswer
}

const GERMAN: ReadonlyMap<string, string> = new Map(Object.entries(de))

export function createHints(custom: ReadonlyMap<string, CustomHint> = new Map()): Hints {
  // A map, not an object: ids like `toString` and `__proto__` must be unknown.
  const all = new Map<string, CustomHint>([...Object.entries(en), ...custom])
  const translate = (id: string, hint: CustomHint, language: Language): Hint => {
    const { translations, ...plain } = hint
    const action =
      language === 'en' ? undefined : (translations?.[language] ?? GERMAN.get(id) ?? undefined)
    return action === undefined ? plain : { ...plain, action }
  }
  return {
    get(id, language = 'en') {
      const hint = all.get(id)
      return hint ? translate(id, hint, language) : null
    },
    find(ids, language, door = HTTP_DOOR) {
      const wanted = [...new Set(ids ?? all.keys())]
      const found = wanted.flatMap(id => {
        const hint = all.get(id)
        return hint ? [[id, hintAtDoor(translate(id, hint, language), door)] as const] : []
      })
      return {
        hints: Object.fromEntries(found),
        notFound: wanted.filter(id => !all.has(id)),
      }
    },
  }
}

/** The supported language that the caller prefers (RFC 9110, section 12.5.4). */
export function chooseLanguage(acceptLanguage: string | undefined): Language {
  if (acceptLanguage === undefined) return 'en'
  const wishes = acceptLanguage.split(',').map(wish => {
    const [range = '', ...parameters] = wish.trim().split(';')
    const weight = parameters.map(text => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1]).find(Boolean)
    return { language: range.toLowerCase().split('-')[0], weight: Number(weight ?? 1) }
  })
  const [best] = wishes
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .flatMap(({ language }) => LANGUAGES.find(known => known === language) ?? [])
  return best ?? 'en'
}
