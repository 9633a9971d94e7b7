using System.Globalization;

namespace PerfTools.Results.Documents;

/// <summary>
/// The losses of a round-trip test over a best-effort transport: a few are part of its result; with many, it is no result of an unloaded network.
/// </summary>
internal static class RoundTripLosses
{
    private const double MaxShare = 0.01;

    /// <summary>Describes the losses in one clause, the rounds first; null without any, and where no round trips are measured.</summary>
    public static string? Describe(RunFigures? figures, IReadOnlyList<LinkResult> links) => FindAll(figures, links) is { Length: > 0 } all
        ? string.Join(", ", all.Select(loss => Format($"{loss.Lost:N0} of {loss.Of:N0} {loss.What} lost"))) : null;

    /// <summary>True when more than one percent of the rounds, or of the messages sent on a link, were lost.</summary>
    public static bool AreTooMany(RunFigures? figures, IReadOnlyList<LinkResult> links) =>
        Array.Exists(FindAll(figures, links), loss => loss.Lost > MaxShare * loss.Of);

    private static (string What, long Lost, long Of)[] FindAll(RunFigures? figures, IReadOnlyList<LinkResult> links)
    {
        if (figures?.RoundTrips is not { } sizes)
            return [];
        long rounds = sizes.Sum(size => size.Lost);
        (string What, long Lost, long Of)[] all =
        [
            ("rounds", rounds, rounds + sizes.Sum(size => size.Samples)),
            .. links.Select(link => (Format($"{link.What} from {link.From} to {link.To}"), link.Lost ?? 0, link.Sent ?? 0)),
        ];
        return Array.FindAll(all, loss => loss.Lost > 0);
    }

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
