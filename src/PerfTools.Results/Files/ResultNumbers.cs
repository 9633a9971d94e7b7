using System.Text.Json;

namespace PerfTools.Results.Files;

/// <summary>Checks the range of numbers in results: a number outside it is corrupt, and must not be used in a figure.</summary>
internal static class ResultNumbers
{
    private const double Max = 1e16; // microseconds of 300 years, bytes of ten petabytes
    private const double MaxNanos = 4e18; // 126 years: times of the clock that begins with a machine, and differences of two of them
    private const string Nanos = "Nanos";

    /// <summary>Finds the first number outside the range; null where there is none.</summary>
    public static string? FindProblem(JsonElement value) => FindProblem(value, "");

    private static string? FindProblem(JsonElement value, string path) => value.ValueKind switch
    {
        JsonValueKind.Object => value.EnumerateObject()
            .Select(member => FindProblem(member.Value, path.Length == 0 ? member.Name : $"{path}.{member.Name}"))
            .FirstOrDefault(problem => problem is not null),
        JsonValueKind.Array => value.EnumerateArray().Select(one => FindProblem(one, path)).FirstOrDefault(problem => problem is not null),
        JsonValueKind.Number when !(value.TryGetDouble(out double number) && Math.Abs(number) <= MaxOf(path)) =>
            $"{path} is {value.GetRawText()}, which is no figure",
        _ => null,
    };

    private static double MaxOf(string path) => path.EndsWith(Nanos, StringComparison.Ordinal) ? MaxNanos : Max;
}
