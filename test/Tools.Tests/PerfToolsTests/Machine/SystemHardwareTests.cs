using PerfTools.Machine;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Machine;

public sealed class SystemHardwareTests : IDisposable
{
    private readonly RunDirectory _root = new();

    private SystemHardware Hardware => new(_root.Path);

    [Fact]
    public void Machine_WithFirmware_IsTold()
    {
        Write("sys/class/dmi/id/sys_vendor", "Vendor, Inc.\n");
        Write("sys/class/dmi/id/product_name", "Model 7\n");
        Write("sys/devices/system/node/online", "0-1\n");
        Assert.Equal(("Vendor, Inc.", "Model 7", 2), (Hardware.Vendor, Hardware.Model, Hardware.NumaNodes));
    }

    [Fact]
    public void Machine_OfADeviceTree_IsTold()
    {
        Write("proc/device-tree/model", "Board 4 Rev 1.2\0");
        Assert.Equal((null, "Board 4 Rev 1.2", null), (Hardware.Vendor, Hardware.Model, Hardware.NumaNodes));
    }

    [Theory]
    [InlineData("0", 1)]
    [InlineData("0-3", 4)]
    [InlineData("0-1,4,6-7", 5)]
    [InlineData("1-0", null)]
    [InlineData("a", null)]
    [InlineData("", null)]
    public void CountOf_AList_IsHowManyItNames(string list, int? count) => Assert.Equal(count, SystemHardware.CountOf(list));

    [Theory]
    [InlineData("25000\n", "eth0, ena, 25000 Mbit/s")]
    [InlineData("-1\n", "eth0, ena, speed not known")]
    [InlineData("0\n", "eth0, ena, speed not known")]
    [InlineData("4294967295\n", "eth0, ena, speed not known")] // -1 by another name
    [InlineData("", "eth0, ena, speed not known")]
    public void DescribeCard_WithADevice_HasItsSpeed(string speed, string expected)
    {
        Write("sys/class/net/eth0/speed", speed);
        Directory.CreateDirectory(_root.File("sys/class/net/eth0/device"));
        Directory.CreateDirectory(_root.File("drivers/ena"));
        Directory.CreateSymbolicLink(_root.File("sys/class/net/eth0/device/driver"), _root.File("drivers/ena"));
        Assert.Equal(expected, Hardware.DescribeCard("eth0"));
    }

    [Fact]
    public void DescribeCard_WithAnMtu_HasItToo()
    {
        Write("sys/class/net/eth0/speed", "40000\n");
        Write("sys/class/net/eth0/mtu", "9001\n");
        Directory.CreateDirectory(_root.File("sys/class/net/eth0/device"));
        Assert.Equal("eth0, 40000 Mbit/s, MTU 9001", Hardware.DescribeCard("eth0"));
    }

    [Fact]
    public void DescribeCard_OfSoftware_HasNoSpeed()
    {
        Write("sys/class/net/veth3/speed", "10000\n"); // what it says means nothing
        Assert.Equal(("veth3, software", "lo, software"), (Hardware.DescribeCard("veth3"), Hardware.DescribeCard("lo")));
    }

    [Fact]
    public void PtpClocks_OfCards_HaveTheirNames()
    {
        Assert.Empty(Hardware.PtpClocks);
        Write("sys/class/ptp/ptp1/clock_name", "KVM virtual PTP\n");
        Write("sys/class/ptp/ptp0/clock_name", "mlx5_ptp\n");
        Directory.CreateDirectory(_root.File("sys/class/ptp/ptp2"));
        Assert.Equal(["ptp0 mlx5_ptp", "ptp1 KVM virtual PTP", "ptp2"], Hardware.PtpClocks);
    }

    public void Dispose() => _root.Dispose();

    private void Write(string path, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(_root.File(path))!);
        File.WriteAllText(_root.File(path), text);
    }
}
