using PerfTools.Reports;

namespace PerfTools.Live;

/// <summary>The page around the content: style, and the script that asks for the next content.</summary>
internal static class LivePageText
{
    /// <summary>The paths after the token: the current content, and the content a second later or at the end.</summary>
    public const string Now = "now", Next = "next";

    /// <summary>The attribute that marks the last content.</summary>
    public const string Last = "data-last";

    private const string OwnStyle = "\n.running{--v:var(--soft)}";

    // All text in the content is escaped where it is written.
    private const string Script = $$"""
        (async () => {
          const live = document.getElementById('live'), state = document.getElementById('state');
          for (let failures = 0; !live.querySelector('[{{Last}}]');) {
            try {
              const answer = await fetch('{{Next}}', {cache: 'no-store', signal: AbortSignal.timeout(10000)});
              if (!answer.ok) throw new Error(answer.status);
              live.innerHTML = await answer.text();
              failures = 0;
            } catch {
              if (++failures === 3) {
                state.textContent = 'perftools does not answer any more: it has ended. The page shows the last state.';
                return;
              }
              await new Promise(done => setTimeout(done, 1000));
            }
          }
          state.textContent = 'The run is over; this page does not change any more.';
        })();
        """;

    /// <summary>The content security policy: only our style and script, and requests to the origin of the page.</summary>
    public static string PolicyOf(string nonce) =>
        $"default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; connect-src 'self'; img-src data:; base-uri 'none'; form-action "
            + "'none'; frame-ancestors 'none'";

    /// <summary>Creates the whole page.</summary>
    /// <param name="content">The content, as HTML.</param>
    /// <param name="nonce">The nonce of style and script.</param>
    /// <param name="isLast">True when the content does not change any more.</param>
    public static string Create(string content, string nonce, bool isLast) => $"""
        <!doctype html>
        <html lang=en>
        <head>
        <meta charset=utf-8>
        <meta name=viewport content="width=device-width,initial-scale=1">
        <title>perftools, live</title>
        <link rel=icon href="data:,">
        {(isLast ? "" : "<noscript><meta http-equiv=refresh content=2></noscript>")}
        <style nonce="{nonce}">
        {PageStyle.Css}{OwnStyle}
        </style>
        </head>
        <body>
        <main>
        <div id=live>
        {content}</div>
        <p id=state class=soft role=status>Updated every second while the run goes on.</p>
        </main>
        <script nonce="{nonce}">
        {Script}
        </script>
        </body>
        </html>

        """;
}
