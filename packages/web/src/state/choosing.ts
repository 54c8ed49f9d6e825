import { type GivenAnswer, type InteractionRequest, isBlank, takesBlank, visibleLine } from "../assent.ts";

/** An answer, how it is told, and what is wrong with it before it is even sent: that costs no attempt. */
export type Chosen = { readonly given: GivenAnswer; readonly said: string; readonly wrong?: string };

export function chosen(request: InteractionRequest, option: string): Chosen {
  const at = request.options.findIndex(({ id }) => id === option);
  const label = request.options[at]?.label ?? option;
  return { given: { selected_option_id: option }, said: `${at + 1}) ${visibleLine(label)}` };
}

/** In the order of the options, whatever the order of the clicks. */
export function picked(request: InteractionRequest, ids: readonly string[]): Chosen {
  const options = request.options.filter(({ id }) => ids.includes(id));
  const { least, most } = boundsOf(request);
  const given = { selected_option_ids: options.map(({ id }) => id) };
  const said = options.map(({ label }) => visibleLine(label)).join(", ");
  if (options.length >= least && options.length <= most) return { given, said };
  return { given, said, wrong: `Choose ${least === most ? least : `${least} to ${most}`}; chosen: ${options.length}.` };
}

export function boundsOf({ min_selected, max_selected, options }: InteractionRequest): { least: number; most: number } {
  return { least: Math.max(1, min_selected ?? 1), most: max_selected ?? options.length };
}

export function written(request: InteractionRequest, text: string): Chosen {
  const said = request.sensitive
    ? "(a hidden text)"
    : request.kind === "confirmation"
      ? `no, because: ${visibleLine(text)}`
      : visibleLine(text);
  if (isBlank(text) && !takesBlank(request))
    return { given: { free_text: text }, said, wrong: "Write something first." };
  return { given: { free_text: text }, said };
}

export const cancelled: Chosen = { given: { cancelled: true }, said: "cancelled" };
