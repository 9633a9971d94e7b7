using System.Runtime.CompilerServices;
using Xunit;

namespace Tools.Tests;

/// <summary>Compares texts with files next to the tests; a different text is written next to the tests for a person to look at.</summary>
internal static class ExpectedText
{
    /// <summary>Compares a text with a file of the folder <c>Expected</c> next to the calling test.</summary>
    public static void AssertEquals(string name, string actual, [CallerFilePath] string test = "")
    {
        string expected = Path.Combine(AppContext.BaseDirectory, Path.GetFileName(Path.GetDirectoryName(test))!, "Expected", name);
        string text = File.Exists(expected) ? File.ReadAllText(expected) : "";
        if (text != actual)
            File.WriteAllText(Path.Combine(Directory.CreateDirectory(Path.Combine(AppContext.BaseDirectory, "Actual")).FullName, name), actual);
        Assert.Equal(text, actual);
    }
}
