using PerfCommon.Transport.Tls;
using Xunit;

namespace PerfCommon.Tests.Transport.Tls;

public sealed class TrialCertificatesTests : IDisposable
{
    private readonly TrialCertificates _authority = new(DateTimeOffset.UtcNow.AddDays(-1), TimeSpan.FromDays(2));
    private readonly string _folder = Directory.CreateTempSubdirectory("keys").FullName;

    public void Dispose()
    {
        _authority.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public void WriteFiles_KeyThatStoodOpen_IsItsOwnersAlone()
    {
        string key = Path.Combine(_folder, "server.key");
        File.WriteAllText(key, "old");
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(key, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.OtherRead);
        Assert.Equal(key, _authority.WriteFiles(_folder, ["localhost"]).KeyPath);
        Assert.StartsWith("-----BEGIN PRIVATE KEY-----", File.ReadAllText(key), StringComparison.Ordinal);
        if (!OperatingSystem.IsWindows())
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(key));
        Assert.Equal(["ca.pem", "server.key", "server.pem"], Directory.GetFiles(_folder).Select(Path.GetFileName).Order());
    }

    [Fact]
    public void WriteFiles_LinkInTheKeysPlace_IsReplacedAndNotFollowed()
    {
        string other = Path.Combine(_folder, "other");
        File.WriteAllText(other, "mine");
        File.CreateSymbolicLink(Path.Combine(_folder, "server.key"), other);
        string key = _authority.WriteFiles(_folder, ["localhost"]).KeyPath;
        Assert.Equal("mine", File.ReadAllText(other));
        Assert.Null(new FileInfo(key).LinkTarget);
    }
}
