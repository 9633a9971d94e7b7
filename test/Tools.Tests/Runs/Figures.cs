using System.Text.Json;

namespace Tools.Tests.Runs;

/// <summary>Reads numbers from the final JSON line of a program.</summary>
internal static class Figures
{
    public static long Count(this JsonElement final, string name) => final.GetProperty("overall").Number("counts", name);

    public static long Number(this JsonElement element, params string[] path)
    {
        foreach (string name in path)
            element = element.GetProperty(name);
        return element.GetInt64();
    }

    public static bool IsComparable(this JsonElement final) => final.GetProperty("comparable").GetBoolean();
}
