using System.Runtime.CompilerServices;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests;

/// <summary>What a stranger sees of the library, against the text that was approved: it grows on purpose or not at all.</summary>
public class PublicFaceTests
{
    private const string AcceptVariable = "PERFTOOLS_ACCEPT_PUBLIC_FACE";
    private const int MaxTypes = 100;

    [Fact]
    public void PublicFace_Library_IsTheApprovedOne()
    {
        List<string> found = PublicFaceText.Of(typeof(RsslChannel).Assembly);
        string file = ApprovedFile();
        if (Environment.GetEnvironmentVariable(AcceptVariable) == "1")
            File.WriteAllText(file, string.Join('\n', found) + "\n");
        string[] approved = File.ReadAllLines(file);

        string difference = string.Join('\n',
            approved.Except(found).Select(line => "- " + line).Concat(found.Except(approved).Select(line => "+ " + line)));
        Assert.True(difference.Length == 0,
            $"the public face has changed; run this test with {AcceptVariable}=1 to accept it, and look at the diff:\n{difference}");
        Assert.Equal(approved, found);
    }

    [Fact]
    public void PublicFace_Library_StaysSmall() => Assert.InRange(typeof(RsslChannel).Assembly.GetExportedTypes().Length, 1, MaxTypes);

    private static string ApprovedFile([CallerFilePath] string thisFile = "") =>
        Path.Combine(Path.GetDirectoryName(thisFile)!, "Expected", "PublicFace.txt");
}
