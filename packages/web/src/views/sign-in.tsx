import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { usePage } from "./context.ts";
import { Notice } from "./text.tsx";

export function SignInView({ note }: { readonly note: string | null }): JSX.Element {
  const page = usePage();
  const [token, setToken] = useState("");
  const [told, setTold] = useState(note);
  const [isSending, setSending] = useState(false);
  const send = async (): Promise<void> => {
    if (token.trim() === "") return setTold("Paste a token.");
    setSending(true);
    const wrong = await page.login({ token: token.trim() });
    setSending(false);
    setTold(wrong);
  };
  return (
    <form
      class="sheet sign-in"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <h1>Sign in</h1>
      <p class="lead">With the link that the server has printed, or with a token.</p>
      <label for="token">Token</label>
      <input
        id="token"
        type="password"
        autocomplete="off"
        class="mono"
        value={token}
        onInput={(event) => setToken(event.currentTarget.value)}
      />
      <Notice told={told} />
      <button type="submit" class="send" disabled={isSending}>
        {isSending ? "Signing in …" : "Sign in"}
      </button>
    </form>
  );
}
