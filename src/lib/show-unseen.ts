/**
 * Characters that terminals and pages obey, or do not show: controls, bidirectional controls, zero-width characters, tags, line
 * separators and halves of pairs.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Writes them as `\u202e`, so that a person sees what a text holds. A caller could otherwise clear the screen, forge lines, or turn
 * the order of words. JSON keeps its value, because its strings know these escapes.
 * @param kept characters that stay
 */
export function showUnseen(text: string, kept = ''): string {
  return text.replaceAll(UNSEEN, character =>
    kept.includes(character) ? character : escapesOf(character),
  )
}

function escapesOf(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
}
